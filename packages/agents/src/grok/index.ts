import type { Agent } from '@piton/contracts';
import { CAPABILITIES, CONTEXT_LIMITS } from './capabilities.ts';
import { claims } from './claims.ts';
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

export const grok: Agent = {
  id: 'grok',
  title: 'Grok Build',
  aliases: ['grok-build', 'grok-cli'],
  markers: ['GROK_AGENT', 'GROK_SESSION_ID'],
  hookSwitches: { packages: ['@xai-official/grok'], variables: ['GROK_HOME'] },
  vendorPage: 'https://docs.x.ai/build/features/hooks',
  provenVersion: '1.0.41',
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
  readiness,
  transcript,
  materializer,
  secrets: ['XAI_API_KEY'],
  alsoRuns: ['claude', 'cursor'],
  claims,
  decode,
  encode,
  noop,
  // Nothing that Grok Build sends shows whether a person is there.
  attended: (_variables, terminal) => terminal,
  begin: (prompt) => ['grok', prompt],
  resume: (sessionId) => ['grok', '--resume', sessionId],
};
