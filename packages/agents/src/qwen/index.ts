import type { Agent } from '@piton/contracts';
import { CAPABILITIES, CONTEXT_LIMITS } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { installer } from './install.ts';
import { materializer } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { readiness } from './readiness.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

export const qwen: Agent = {
  id: 'qwen',
  title: 'Qwen Code',
  aliases: ['qwen-code'],
  markers: ['QWEN_CODE', 'QWEN_CODE_SESSION_ID'],
  hookSwitches: {
    packages: ['@qwen-code/qwen-code'],
    options: ['--bare\\b', '--safe-mode\\b'],
    variables: ['QWEN_HOME', 'QWEN_CODE_SAFE_MODE', 'QWEN_CODE_SIMPLE', 'QWEN_CODE_SYSTEM_SETTINGS_PATH', 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'],
  },
  vendorPage: 'https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/',
  provenVersion: '0.24.4',
  versions,
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  contextLimits: CONTEXT_LIMITS,
  quirks: QUIRKS,
  installer,
  mcp,
  readiness,
  transcript,
  materializer,
  secrets: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY', 'ANTHROPIC_API_KEY'],
  decode,
  encode,
  noop,
  // Headless it refuses by itself what nobody can answer, so a terminal is sign enough.
  attended: (_variables, terminal) => terminal,
  begin: (prompt) => ['qwen', '-i', prompt],
  resume: (sessionId) => ['qwen', '--resume', sessionId],
};
