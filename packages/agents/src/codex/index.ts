import type { Agent } from '@piton/contracts';
import { CAPABILITIES, CONTEXT_LIMITS, PARTIAL } from './capabilities.ts';
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

export const codex: Agent = {
  id: 'codex',
  title: 'Codex',
  aliases: ['codex-cli'],
  markers: ['CODEX_*', '!CODEX_HOME', '!CODEX_API_KEY'],
  hookSwitches: {
    packages: ['@openai/codex'],
    options: ['(?:-c|--config)[ =]?\\s*["\']?features\\b.*hooks', '--disable[ =](?:codex_)?hooks\\b'],
    variables: ['CODEX_HOME'],
  },
  vendorPage: 'https://developers.openai.com/codex/hooks',
  provenVersion: '0.166.0',
  versions,
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  partial: PARTIAL,
  contextLimits: CONTEXT_LIMITS,
  quirks: QUIRKS,
  installer,
  mcp,
  importer,
  ownPlugin,
  readiness,
  transcript,
  endsInTranscript: true,
  materializer,
  secrets: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'AZURE_OPENAI_API_KEY'],
  decode,
  encode,
  noop,
  // Nothing that Codex sends shows whether a person is there.
  attended: (_variables, terminal) => terminal,
  begin: (prompt) => ['codex', prompt],
  resume: (sessionId) => ['codex', 'resume', sessionId],
};
