import type { AgentDriver } from './driver.ts';
import { auggieDriver } from './drivers/auggie.ts';
import { claudeDriver } from './drivers/claude.ts';
import { clineDriver } from './drivers/cline.ts';
import { codexDriver } from './drivers/codex.ts';
import { copilotDriver } from './drivers/copilot.ts';
import { droidDriver } from './drivers/droid.ts';
import { geminiDriver } from './drivers/gemini.ts';
import { grokDriver } from './drivers/grok.ts';
import { kimiDriver } from './drivers/kimi.ts';
import { ompDriver } from './drivers/omp.ts';
import { kiloDriver, opencodeDriver } from './drivers/opencode.ts';
import { piDriver } from './drivers/pi.ts';
import { qwenDriver } from './drivers/qwen.ts';

/** Every real agent that the tests run, one line each. The scenarios of `scenarios/real-agents` run with all of them. */
export const DRIVERS: readonly AgentDriver[] = [
  claudeDriver,
  codexDriver,
  geminiDriver,
  qwenDriver,
  opencodeDriver,
  kiloDriver,
  copilotDriver,
  droidDriver,
  clineDriver,
  piDriver,
  grokDriver,
  kimiDriver,
  ompDriver,
  auggieDriver,
];
