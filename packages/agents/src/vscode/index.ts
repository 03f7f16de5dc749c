import type { Agent } from '@piton/contracts';
import { CAPABILITIES } from './capabilities.ts';
import { claims } from './claims.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { installer } from './install.ts';
import { materializer } from './materialize.ts';
import { QUIRKS } from './quirks.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { versions } from './versions.ts';

/** From its documentation and source alone: it cannot be driven without a screen and an account. */
export const vscode: Agent = {
  id: 'vscode',
  title: 'Copilot in VS Code',
  aliases: ['vs-code', 'copilot-vscode'],
  processes: [], // it runs inside the editor
  vendorPage: 'https://code.visualstudio.com/docs/agent-customization/hooks',
  provenVersion: null,
  versions,
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  contextLimits: {},
  quirks: QUIRKS,
  installer,
  readiness: null,
  transcript: null, // its lines are not documented
  materializer,
  secrets: [],
  alsoRuns: ['claude', 'copilot'],
  claims,
  decode,
  encode,
  noop,
  // Its confirmation waits in the editor until somebody answers.
  attended: () => true,
  // No command takes up a chat: it is chosen in the editor.
  resume: () => ['code'],
};
