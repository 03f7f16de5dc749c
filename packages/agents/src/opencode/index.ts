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

const installer = installerFor('opencode', 'OpenCode');
const encode = encodeFor('OpenCode', CAPABILITIES);
const noop = () => SILENCE;

export const opencode: Agent = {
  id: 'opencode',
  title: 'OpenCode',
  aliases: [],
  markers: ['OPENCODE'],
  hookSwitches: { packages: ['opencode-ai'], options: ['--pure\\b'], variables: ['OPENCODE_PURE', 'XDG_CONFIG_HOME'] },
  vendorPage: 'https://opencode.ai/docs/plugins/',
  provenVersion: '1.18.33',
  versions,
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  contextLimits: {},
  quirks: QUIRKS,
  installer,
  mcp: mcpFor('opencode'),
  readiness: null,
  transcript: transcriptFor('opencode'),
  materializer: materializerFor({ id: 'opencode', title: 'OpenCode', installer, encode, noop }),
  secrets: ['OPENCODE_API_KEY', 'OPENCODE_AUTH_CONTENT'],
  decode: decodeFor('opencode'),
  encode,
  noop,
  // A plugin has no way to ask.
  attended: () => false,
  begin: (prompt) => ['opencode', '--prompt', prompt],
  resume: (sessionId) => ['opencode', '--session', sessionId],
};
