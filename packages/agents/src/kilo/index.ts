import { type Agent, SILENCE } from '@piton/contracts';
import { decodeFor } from '../shared/opencode-api/decode.ts';
import { encodeFor } from '../shared/opencode-api/encode.ts';
import { EVENTS } from '../shared/opencode-api/events.ts';
import { installerFor } from '../shared/opencode-api/install.ts';
import { materializerFor } from '../shared/opencode-api/materialize.ts';
import { mcpFor } from '../shared/opencode-api/mcp.ts';
import { shape } from '../shared/opencode-api/shape.ts';
import { TOOLS } from '../shared/opencode-api/tools.ts';
import { transcriptFor } from '../shared/opencode-api/transcript.ts';
import { CAPABILITIES } from './capabilities.ts';
import { QUIRKS } from './quirks.ts';
import { versions } from './versions.ts';

const installer = installerFor('kilo', 'Kilo');
const encode = encodeFor('Kilo', CAPABILITIES);
const noop = () => SILENCE;

export const kilo: Agent = {
  id: 'kilo',
  title: 'Kilo',
  aliases: ['kilocode'],
  markers: ['KILO'],
  hookSwitches: { packages: ['@kilocode/cli'], options: ['--pure\\b'], variables: ['KILO_PURE', 'XDG_CONFIG_HOME'] },
  vendorPage: 'https://kilo.ai/docs/automate/extending/plugins',
  provenVersion: '7.7.7',
  versions,
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  contextLimits: {},
  quirks: QUIRKS,
  installer,
  mcp: mcpFor('kilo'),
  readiness: null,
  transcript: transcriptFor('kilo'),
  materializer: materializerFor({ id: 'kilo', title: 'Kilo', installer, encode, noop }),
  secrets: ['KILO_API_KEY', 'KILO_AUTH_CONTENT'],
  decode: decodeFor('kilo'),
  encode,
  noop,
  // A plugin has no way to ask.
  attended: () => false,
  begin: (prompt) => ['kilo', '--prompt', prompt],
  resume: (sessionId) => ['kilo', '--session', sessionId],
};
