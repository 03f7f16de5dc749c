import { type Agent, SILENCE } from '@piton/contracts';
import { pluginEncode } from '../shared/plugin-encode.ts';
import { CAPABILITIES } from './capabilities.ts';
import { decode } from './decode.ts';
import { EVENTS } from './events.ts';
import { installer } from './install.ts';
import { materializerFor } from './materialize.ts';
import { QUIRKS } from './quirks.ts';
import { readiness } from './readiness.ts';
import { shape } from './shape.ts';
import { nativeInput, TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

const encode = pluginEncode({
  title: 'pi',
  capabilities: CAPABILITIES,
  nativeInput: (event, input) => (event.tool === undefined ? input : nativeInput(event.tool.nativeName, input)),
});
const noop = () => SILENCE;

export const pi: Agent = {
  id: 'pi',
  title: 'pi',
  aliases: ['pi-coding-agent'],
  hookSwitches: { packages: ['@mariozechner/pi-coding-agent'], variables: ['PI_CODING_AGENT_DIR'] },
  vendorPage: 'https://pi.dev/docs/latest/extensions',
  provenVersion: '0.87.1',
  versions,
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  contextLimits: {},
  quirks: QUIRKS,
  installer,
  readiness,
  transcript,
  materializer: materializerFor({ encode, noop }),
  secrets: [],
  decode,
  encode,
  noop,
  // The extension could ask where pi has a UI; it does not yet.
  attended: () => false,
  begin: (prompt) => ['pi', prompt],
  resume: (sessionId) => ['pi', '--session', sessionId],
};
