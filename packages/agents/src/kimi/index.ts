import type { Agent } from '@piton/contracts';
import { CAPABILITIES, CONTEXT_LIMITS } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { importer } from './import.ts';
import { installer } from './install.ts';
import { materializer } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

export const kimi: Agent = {
  id: 'kimi',
  title: 'Kimi Code',
  aliases: ['kimi-code', 'kimi-cli'],
  hookSwitches: { packages: ['@moonshot-ai/kimi-code'], variables: ['KIMI_CODE_HOME'] },
  vendorPage: 'https://moonshotai.github.io/kimi-code/en/customization/hooks.html',
  provenVersion: '2.1.0',
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
  // What stands in the file of the user runs in every folder.
  readiness: null,
  transcript,
  materializer,
  secrets: ['KIMI_API_KEY', 'KIMI_MODEL_API_KEY', 'MOONSHOT_API_KEY'],
  decode,
  encode,
  noop,
  // It has no question that a hook could ask.
  attended: () => false,
  resume: (sessionId) => ['kimi', '--session', sessionId],
};
