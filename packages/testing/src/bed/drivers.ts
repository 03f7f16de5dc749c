import { claudeDriver } from './claude.ts';
import { clineDriver } from './cline.ts';
import { codexDriver } from './codex.ts';
import { copilotDriver } from './copilot.ts';
import type { AgentDriver } from './driver.ts';
import { droidDriver } from './droid.ts';
import { geminiDriver } from './gemini.ts';
import { grokDriver } from './grok.ts';
import { kimiDriver } from './kimi.ts';
import { kiloDriver, opencodeDriver } from './opencode.ts';
import { piDriver } from './pi.ts';
import { qwenDriver } from './qwen.ts';

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
];
