import { type Agent, SILENCE } from '@piton/contracts';
import { decodeFor } from '../shared/opencode-api/decode.ts';
import { encodeFor } from '../shared/opencode-api/encode.ts';
import { EVENTS } from '../shared/opencode-api/events.ts';
import { installerFor } from '../shared/opencode-api/install.ts';
import { TOOLS } from '../shared/opencode-api/tools.ts';
import { transcriptFor } from '../shared/opencode-api/transcript.ts';
import { CAPABILITIES } from './capabilities.ts';
import { QUIRKS } from './quirks.ts';

export const opencode: Agent = {
  id: 'opencode',
  title: 'OpenCode',
  aliases: [],
  markers: ['OPENCODE'],
  vendorPage: 'https://opencode.ai/docs/plugins/',
  provenVersion: '1.18.33',
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  capabilities: CAPABILITIES,
  quirks: QUIRKS,
  installer: installerFor('opencode', 'OpenCode'),
  readiness: null,
  transcript: transcriptFor('opencode'),
  secrets: ['OPENCODE_API_KEY', 'OPENCODE_AUTH_CONTENT'],
  decode: decodeFor('opencode'),
  encode: encodeFor('OpenCode', CAPABILITIES),
  noop: () => SILENCE,
  // A plugin has no way to ask.
  attended: () => false,
  resume: (sessionId) => ['opencode', '--session', sessionId],
};
