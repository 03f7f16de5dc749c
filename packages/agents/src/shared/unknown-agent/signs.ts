import type { Agent, JsonObject } from '@piton/contracts';
import { textOf } from '../json-fields.ts';
import type { KnownWords } from './known-words.ts';
import { foldedName } from './payload-fields.ts';
import { STRANGERS } from './strangers.ts';

const transcriptIn = (fields: JsonObject): string | undefined => textOf(fields, 'transcript_path') ?? textOf(fields, 'transcriptPath');

/** It names a transcript in the agent's own place, or carries a field that nobody else has. */
export function namesItself({ shape }: Agent, fields: JsonObject): boolean {
  const mark = shape.mark === undefined ? undefined : fields[shape.mark];
  if (typeof mark === 'boolean' || (typeof mark === 'string' && mark !== '')) return true;
  const transcript = transcriptIn(fields);
  return transcript !== undefined && shape.transcript?.test(transcript) === true;
}

/** The test event of `piton status` goes through every registration. It has nothing of any agent, only where it was sent from. */
const CANARY = 'piton_canary';
const CANARY_FIELDS: ReadonlySet<string> = new Set([CANARY, 'cwd']);
const isCanary = (keys: readonly string[]): boolean => keys.includes(CANARY) && keys.every((key) => CANARY_FIELDS.has(key));

/** The tools that guards are about. */
const GUARDED: ReadonlySet<string | undefined> = new Set(['shell', 'edit', 'read']);

/**
 * What in this payload is another's, or undefined where it may be this agent's. Only what is there counts: every agent leaves fields
 * out, and a next version may bring some that nobody has seen.
 */
export function foreignSign(agent: Agent, fields: JsonObject, words: KnownWords): string | undefined {
  const keys = Object.keys(fields);
  if (keys.length === 0 || isCanary(keys) || namesItself(agent, fields)) return undefined;
  const other = ownerOf(transcriptIn(fields), words);
  if (other !== undefined) return `its transcript lies where those of ${other.title} do`;
  const foreign = keys.filter((key) => !words.isFieldOf(agent, key) && words.isField(key));
  if (foreign.length > 0) return `it has ${listed(foreign)}`;
  if (!agent.shape.head.some((key) => Object.hasOwn(fields, key))) return `it has only ${listed(keys)}`;
  return foreignEvent(agent, textOf(fields, 'hook_event_name'), words) ?? foreignTool(agent, textOf(fields, 'tool_name'), words);
}

const ownerOf = (transcript: string | undefined, { agents }: KnownWords): Agent | undefined =>
  transcript === undefined ? undefined : agents.find(({ shape }) => shape.transcript?.test(transcript));

function foreignEvent(agent: Agent, said: string | undefined, words: KnownWords): string | undefined {
  if (said === undefined || words.isEventOf(agent, said)) return undefined;
  const isKnown = words.isEvent(said) || agent.events.some(({ name }) => foldedName(name) === foldedName(said));
  return isKnown ? `it calls its event ${said}` : undefined;
}

/** Agents whose transcripts are known have tools of their own only, and those of servers, which are named after them. */
function foreignTool({ shape, tools }: Agent, name: string | undefined, words: KnownWords): string | undefined {
  if (name === undefined || shape.transcript === undefined || Object.hasOwn(tools, name) || name.startsWith('mcp_')) return undefined;
  return GUARDED.has(words.toolKind(name)) ? `it calls a tool ${name}` : undefined;
}

/** Who seems to have sent it, by its fields alone. */
export function seemsToBe(fields: JsonObject, { agents }: KnownWords): string | undefined {
  const stranger = STRANGERS.find((each) => each.fields.every((field) => Object.hasOwn(fields, field)));
  return stranger?.title ?? agents.find((agent) => namesItself(agent, fields))?.title;
}

const SHOWN = 4;
const LONGEST = 40;

/** It came from somebody nobody knows: short, and letters only. */
function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, SHOWN).map((key) => key.slice(0, LONGEST).replaceAll(/[^\w.-]/g, '?'));
  return keys.length > SHOWN ? `${shown.join(', ')}, …` : shown.join(', ');
}
