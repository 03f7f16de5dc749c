import type { Agent } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { CAPABILITIES, CONTEXT_LIMITS } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { importer } from './import.ts';
import { installer } from './install.ts';
import { materializer } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { versions } from './versions.ts';

/** From its documentation alone: it cannot be driven without an account. */
export const cursor: Agent = {
  id: 'cursor',
  title: 'Cursor',
  aliases: ['cursor-agent', 'cursor-cli'],
  markers: ['CURSOR_AGENT'],
  processes: ['cursor-agent'], // `cursor` is the editor, in whose terminal a person may work
  vendorPage: 'https://cursor.com/docs/agent/hooks',
  provenVersion: null,
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
  readiness: null,
  transcript: null, // its lines are not documented
  materializer,
  secrets: ['CURSOR_API_KEY'],
  alsoRuns: ['claude'],
  claims: (payload) => isObject(payload) && textOf(payload, 'cursor_version') !== undefined,
  decode,
  encode,
  noop,
  // No event that we register can ask a question.
  attended: () => false,
  resume: (sessionId) => ['cursor-agent', '--resume', sessionId],
};
