import type { Agent } from '@piton/contracts';
import { CAPABILITIES, CONTEXT_LIMITS } from './capabilities.ts';
import { ownPlugin } from './declared-plugin.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { importer } from './import.ts';
import { installer } from './install.ts';
import { materializer } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { readiness } from './readiness.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

export const gemini: Agent = {
  id: 'gemini',
  title: 'Gemini CLI',
  aliases: ['gemini-cli'],
  markers: ['GEMINI_CLI', 'GEMINI_SESSION_ID'],
  hookSwitches: {
    packages: ['@google/gemini-cli'],
    variables: ['GEMINI_CLI_HOME', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'],
  },
  vendorPage: 'https://geminicli.com/docs/hooks/',
  provenVersion: '0.61.0',
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
  importer,
  ownPlugin,
  readiness,
  transcript,
  materializer,
  secrets: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
  decode,
  encode,
  noop,
  // A question hangs a headless run, and neither payload nor environment distinguishes it from a session with a person.
  attended: () => false,
  begin: (prompt) => ['gemini', '-i', prompt],
  resume: (sessionId) => ['gemini', '--resume', sessionId],
};
