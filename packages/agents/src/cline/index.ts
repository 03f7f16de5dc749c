import type { Agent } from '@piton/contracts';
import { CAPABILITIES, CONTEXT_LIMITS } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { installer } from './install.ts';
import { materializer } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

export const cline: Agent = {
  id: 'cline',
  title: 'Cline CLI',
  aliases: ['cline-cli'],
  markers: ['CLINE_ACTIVE'],
  hookSwitches: { packages: ['cline'], variables: ['CLINE_DIR'] },
  vendorPage: 'https://docs.cline.bot/customization/hooks',
  provenVersion: '3.0.65',
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
  readiness: null,
  transcript,
  materializer,
  secrets: ['CLINE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'],
  decode,
  encode,
  noop,
  attended: () => false, // no hook of Cline's can ask
  begin: (prompt) => ['cline', prompt],
  resume: (sessionId) => ['cline', '--id', sessionId],
};
