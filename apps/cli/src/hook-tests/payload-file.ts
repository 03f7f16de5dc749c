import { resolve } from 'node:path';
import { AGENTS, findAgent } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { SOME_AGENT } from '../example-agents.ts';
import { Failure, reasonOf } from '../failure.ts';
import { readRegular } from '../files/regular-file.ts';
import type { MatchingPayload, PayloadChoice } from './backtest/matching-payloads.ts';
import { movedTo, preview } from './trial.ts';
import type { WorkDirectory } from './work-directory.ts';

/** A payload of the person's own, and what the file says about where it comes from. */
export interface PayloadFile {
  readonly name: string;
  readonly payload: unknown;
  readonly agent?: string;
  readonly nativeEvent?: string;
  readonly variables: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** In which a payload of any agent names its event. */
const EVENT_FIELDS = [...new Set(AGENTS.flatMap(({ shape }) => shape.eventFields ?? []))];

const STDIN = '-';
const FORMS = 'a payload as an agent sends it, an event as `piton events show <id> --json` prints it, or a test case';

export async function readPayloadFile(cwd: string, path: string): Promise<PayloadFile> {
  const name = path === STDIN ? 'stdin' : path;
  const where = path === STDIN ? {} : { where: resolve(cwd, path) };
  let text: string;
  try {
    text = path === STDIN ? await readStdin() : readRegular(resolve(cwd, path)).toString('utf8');
  } catch (error) {
    throw new Failure(`cannot read the payload: ${reasonOf(error)}`, where);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const what = text.trim() === '' ? 'it is empty' : `it is not JSON: ${(error as Error).message}`;
    throw new Failure(`cannot read the payload from ${name}: ${what}`, { ...where, remedy: `give it ${FORMS}` });
  }
  if (!isRecord(value))
    throw new Failure(`cannot read the payload from ${name}: it is not an object`, { ...where, remedy: `give it ${FORMS}` });
  return { name, ...unwrap(value) };
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) throw new Error('standard input is a terminal: pipe the payload into it');
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

const textIn = (value: Fields, ...names: readonly string[]): string | undefined =>
  names.map((name) => value[name]).find((each): each is string => typeof each === 'string' && each !== '');

/** An event of `piton events show --json` and a test case hold the payload, and say who sent it. */
function unwrap(value: Fields): Omit<PayloadFile, 'name'> {
  const holder = isRecord(value.envelope) ? value.envelope : value;
  const isHolder = isRecord(holder.payload) && textIn(value, 'nativeEvent', 'native_event') !== undefined;
  const agent = isHolder ? textIn(value, 'agent') : undefined;
  const nativeEvent = isHolder ? textIn(value, 'nativeEvent', 'native_event') : textIn(value, ...EVENT_FIELDS);
  const env = isHolder && isRecord(value.env) ? value.env : {};
  return {
    payload: isHolder ? holder.payload : value,
    ...(agent !== undefined && { agent }),
    ...(nativeEvent !== undefined && { nativeEvent }),
    variables: Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
  };
}

/**
 * The payload as one agent's. Without a name of the agent or the event, whichever of `agents` would run the hook on it, in the order of
 * the list: several agents send the same form, and the answer shows which one it was taken for.
 */
export function choosePayload(
  file: PayloadFile,
  agents: readonly Agent[],
  hook: HookDefinition,
  work: Pick<WorkDirectory, 'path' | 'temporary'>,
): { readonly agent: Agent; readonly choice: PayloadChoice } {
  const named = file.agent === undefined ? undefined : findAgent(file.agent);
  const senders = named !== undefined && agents.length === AGENTS.length ? [named] : agents;
  const isNamed = senders.length < AGENTS.length;
  const tried = senders.flatMap((agent) =>
    eventsFor(agent, file, isNamed).map((nativeEvent) => asSent(file, agent, nativeEvent, hook, work)),
  );
  const [first] = tried;
  if (first === undefined)
    throw new Failure(`no agent sends ${file.nativeEvent ?? 'this'}`, { remedy: `name the agent that sent it: --agent ${SOME_AGENT}` });
  const { agent, runs, event, one } = tried.find((each) => each.runs) ?? first;
  const why =
    file.nativeEvent === undefined
      ? `it names no event, and ${hook.name} runs on none that it could be: see its matcher and "when"`
      : event.names.includes(hook.event)
        ? `${hook.name} does not match it: see its matcher and "when"`
        : `it is ${event.event}, and ${hook.name} runs on ${hook.event}`;
  return { agent, choice: runs ? { matching: [one] } : { none: why } };
}

/** Some agents have another word in the payload than in their configuration: who names such an agent gets any of its events. */
function eventsFor({ events }: Agent, { nativeEvent }: PayloadFile, isNamed: boolean): string[] {
  const names = events.map(({ name }) => name);
  if (nativeEvent === undefined) return names;
  return names.includes(nativeEvent) ? [nativeEvent] : isNamed ? names : [];
}

function asSent(
  file: PayloadFile,
  agent: Agent,
  nativeEvent: string,
  hook: HookDefinition,
  work: Pick<WorkDirectory, 'path' | 'temporary'>,
) {
  const sent = { agent: agent.id, nativeEvent, payload: file.payload, cwd: work.path, variables: file.variables, terminal: true };
  const occasion = work.temporary ? movedTo(work.path, sent, hook) : sent;
  const { event, runs } = preview(occasion, hook);
  const payload = { name: file.name, kind: 'recorded' as const, nativeEvent, payload: occasion.payload, variables: file.variables };
  const one: MatchingPayload = { payload, occasion };
  return { agent, event, runs: runs && event.agent === agent.id, one };
}
