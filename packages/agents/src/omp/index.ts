import { type Agent, SILENCE } from '@piton/contracts';
import { pluginEncode } from '../shared/plugin-encode.ts';
import { CAPABILITIES } from './capabilities.ts';
import { decode } from './decode.ts';
import { EVENTS } from './events.ts';
import { installer } from './install.ts';
import { materializerFor } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { shape } from './shape.ts';
import { nativeInput, TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

const encode = pluginEncode({
  title: 'oh-my-pi',
  capabilities: CAPABILITIES,
  nativeInput: (event, input) => (event.tool === undefined ? input : nativeInput(event.tool, input)),
});
const noop = () => SILENCE;

export const omp: Agent = {
  id: 'omp',
  title: 'oh-my-pi',
  aliases: ['oh-my-pi'],
  hookSwitches: { packages: ['@oh-my-pi/pi-coding-agent'], variables: ['PI_CODING_AGENT_DIR'] },
  vendorPage: 'https://github.com/can1357/oh-my-pi/blob/main/docs/extensions.md',
  provenVersion: '18.2.3',
  versions,
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  contextLimits: {},
  quirks: QUIRKS,
  installer,
  mcp,
  // It trusts every project.
  readiness: null,
  transcript,
  materializer: materializerFor({ encode, noop }),
  secrets: [],
  decode,
  encode,
  noop,
  // The extension could ask where it has a UI; it does not yet.
  attended: () => false,
  begin: (prompt) => ['omp', prompt],
  resume: (sessionId) => ['omp', '--resume', sessionId],
};
