import type { Agent } from '@piton/contracts';
import { CAPABILITIES } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { installer } from './install.ts';
import { materializer } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { readiness } from './readiness.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

export const droid: Agent = {
  id: 'droid',
  title: 'Factory Droid',
  aliases: ['factory', 'factory-droid'],
  markers: ['DROID_PROJECT_DIR'],
  vendorPage: 'https://docs.factory.ai/reference/hooks-reference',
  provenVersion: '0.215.0',
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
  readiness,
  transcript,
  materializer,
  secrets: ['FACTORY_API_KEY'],
  decode,
  encode,
  noop,
  // Nothing that Droid sends shows whether a person is there.
  attended: (_variables, terminal) => terminal,
  begin: (prompt) => ['droid', prompt],
  resume: (sessionId) => ['droid', '--resume', sessionId],
};
