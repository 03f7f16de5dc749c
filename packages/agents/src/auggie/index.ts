import type { Agent } from '@piton/contracts';
import { CAPABILITIES } from './capabilities.ts';
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

export const auggie: Agent = {
  id: 'auggie',
  title: 'Auggie',
  aliases: ['augment', 'augment-code'],
  markers: ['AUGMENT_AGENT', 'AUGMENT_CONVERSATION_ID'],
  // Another directory has other settings, and another server may switch hooks off.
  hookSwitches: {
    packages: ['@augmentcode/auggie'],
    options: ['--augment-cache-dir\\b', '--augment-session-json\\b'],
    variables: ['AUGMENT_SESSION_AUTH', 'AUGMENT_API_URL'],
  },
  vendorPage: 'https://docs.augmentcode.com/cli/hooks',
  provenVersion: '0.36.0',
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
  importer,
  readiness,
  transcript,
  materializer,
  secrets: ['AUGMENT_SESSION_AUTH', 'AUGMENT_API_TOKEN'],
  decode,
  encode,
  noop,
  // Nothing that Auggie sends shows whether a person is there.
  attended: (_variables, terminal) => terminal,
  begin: (prompt) => ['auggie', prompt],
  resume: (sessionId) => ['auggie', '--resume', sessionId],
};
