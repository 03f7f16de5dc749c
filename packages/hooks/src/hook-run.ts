import {
  type CanonicalEvent,
  type Decision,
  type EventName,
  exactJson,
  type PortableContext,
  portableEnvironment,
  portablePayload,
  type SilentAnswer,
  type TraceEntry,
} from '@piton/contracts';
import { type Answer, failure, parseAnswer, type RunResult } from './answer.ts';
import type { HookDefinition, HookEvent } from './definition.ts';
import { strongest } from './reduce.ts';
import type { Confined, Sandbox } from './sandbox/sandbox.ts';

/** One command to run, for whoever can: the forwarder, or this process. */
export interface RunRequest<Name extends HookEvent = EventName> {
  readonly hook: HookDefinition<Name>;
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly cwd: string;
  readonly set: Record<string, string>;
  readonly unset: readonly string[];
  readonly timeoutMs: number;
  readonly stdoutCap: number;
  readonly stderrCap: number;
  /** The agent's answer if the command prints nothing: whoever runs it may then answer at once. */
  readonly ifSilent?: SilentAnswer;
}
export type Spawn = (request: RunRequest) => Promise<RunResult>;

export const STDOUT_CAP = 1024 * 1024;
export const STDERR_CAP = 64 * 1024;

/** Of an outer hook's event, were it inherited: this event may set none of them. */
const STALE = ['PITON_REPO', 'PITON_BRANCH', 'PITON_TOOL_*', 'PITON_OMITTED', 'TOOL_NAME'];

export interface RunContext {
  readonly context: PortableContext;
  readonly secrets: readonly string[];
  readonly depth: number;
  readonly run: string;
  readonly projectDir: string;
  readonly spawn: Spawn;
  /** Since the event happened. */
  readonly elapsedUs: () => number;
  /** Without one a hook that asks to be confined does not run. */
  readonly sandbox?: Sandbox;
}

/** A run that is over: what the hook said, and its line in the trace. */
export interface Ran {
  readonly answer: Answer;
  readonly entry: Extract<TraceEntry, { did: 'ran' }>;
}

/** The same run, as if it had said these. */
export function withDecisions(ran: Ran, decisions: readonly Decision[], note?: string): Ran {
  const said = strongest(decisions);
  return {
    answer: { ...ran.answer, said, part: { ...ran.answer.part, decisions } },
    entry: { ...ran.entry, said, ...(note !== undefined && { note: noteOf(ran.entry.note, note) }) },
  };
}

export const noteOf = (first: string | undefined, second: string): string => (first === undefined ? second : `${first}; ${second}`);

/** The payload as text, made once for each name under which hooks get the same event. */
export type PayloadText = (event: CanonicalEvent, name: EventName) => string;

export function payloadTexts(context: PortableContext): PayloadText {
  const made = new WeakMap<CanonicalEvent, Map<EventName, string>>();
  return (event, name) => {
    const texts = made.get(event) ?? new Map<EventName, string>();
    made.set(event, texts);
    const text = texts.get(name) ?? exactJson(JSON.stringify(portablePayload(event, name, context)));
    texts.set(name, text);
    return text;
  };
}

export async function runHook(
  hook: HookDefinition,
  event: CanonicalEvent,
  leftMs: number,
  payload: PayloadText,
  on: RunContext,
): Promise<Ran> {
  const startedUs = Math.round(on.elapsedUs());
  const ended = (answer: Answer, result?: RunResult): Ran => ({
    answer,
    entry: { ...entryOf(hook, answer, result, hook.timeoutMs <= leftMs ? 'hook' : 'budget'), startedUs },
  });
  const lost = (why: string): Ran => {
    const { answer, entry } = ended(failure('lost', why));
    return { answer, entry: { ...entry, durationMs: Math.round(on.elapsedUs() - startedUs) / 1000 } };
  };
  let result: RunResult | undefined;
  try {
    const said = hook.builtIn?.(event);
    const note = said === undefined ? undefined : hook.builtInNote?.(event);
    if (said !== undefined) return ended({ said, part: { decisions: [said] }, ...(note !== undefined && { note }) });
    const argv = argvOf(hook, event, on);
    if ('refused' in argv) return ended(failure('spawn', `sandbox ${hook.sandbox} is not available: ${argv.refused}`));
    const spawning = await spawned(on.spawn, requestOf(hook, argv.argv, event, leftMs, payload, on));
    if ('lost' in spawning) return lost(spawning.lost);
    result = spawning;
    return ended(parseAnswer(hook, event.event, result), result);
  } catch (error) {
    // An input nested too deeply for JSON, for one: it fails this hook and no other, and a policy denies.
    return ended(failure('crash', `it could not run: ${wordsOf(error)}`), result);
  }
}

/** A module is confined with its host. */
function argvOf(hook: HookDefinition, event: CanonicalEvent, { sandbox, projectDir }: RunContext): Confined {
  const { sandbox: profile = 'none', folder, module, argv } = hook;
  if (profile === 'none' || module !== undefined) return { argv };
  if (sandbox === undefined) return { refused: 'no sandbox is available' };
  return sandbox.confine(argv, { profile, cwd: event.cwd, shown: [projectDir, ...(folder === undefined ? [] : [folder])] });
}

function requestOf(
  hook: HookDefinition,
  argv: readonly string[],
  event: CanonicalEvent,
  leftMs: number,
  payload: PayloadText,
  on: RunContext,
): RunRequest {
  return {
    hook,
    argv,
    stdin: hook.native ? exactJson(JSON.stringify(event.raw)) : payload(event, hook.event),
    cwd: event.cwd,
    set: environmentOf(hook, event, on),
    // A commit hook's GIT_DIR or GIT_INDEX_FILE would turn every git command of the hook to the wrong place.
    unset: ['GIT_*', ...STALE, ...(hook.scope === 'user' && hook.sandbox !== 'strict' ? [] : on.secrets)],
    timeoutMs: Math.max(1, Math.floor(Math.min(hook.timeoutMs, leftMs))),
    stdoutCap: STDOUT_CAP,
    stderrCap: STDERR_CAP,
  };
}

function environmentOf(hook: HookDefinition, event: CanonicalEvent, on: RunContext): Record<string, string> {
  const set = portableEnvironment(event, hook.event, on.context);
  set.PITON_DEPTH = String(on.depth + 1);
  set.PITON_RUN = on.run;
  set.CLAUDE_PROJECT_DIR = on.projectDir;
  // With one value that is too long no command would start. Whoever reads a variable can see that it is missing.
  for (const [name, value] of Object.entries(hook.env))
    if (fits(name + value)) set[name] = value;
    else set.PITON_OMITTED = set.PITON_OMITTED ? `${set.PITON_OMITTED},${name}` : name;
  return set;
}

/** `NAME=value` and its NUL: what Linux takes at most (MAX_ARG_STRLEN). */
const LONGEST_VARIABLE = 131_072;

/** No character takes more than three bytes: most need no count. */
const fits = (text: string): boolean =>
  !text.includes('\0') && (text.length * 3 + 2 <= LONGEST_VARIABLE || Buffer.byteLength(text) + 2 <= LONGEST_VARIABLE);

/** The forwarder may be gone, and the agent with it. */
async function spawned(spawn: Spawn, request: RunRequest): Promise<RunResult | { readonly lost: string }> {
  try {
    return await spawn(request);
  } catch (error) {
    return { lost: wordsOf(error) };
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function entryOf(hook: HookDefinition, answer: Answer, result: RunResult | undefined, limit: 'hook' | 'budget'): Ran['entry'] {
  return {
    hook: hook.id,
    scope: hook.scope,
    event: hook.event,
    did: 'ran',
    exitCode: result?.exitCode ?? (hook.builtIn ? 0 : -1),
    durationMs: Number(result?.durationUs ?? 0n) / 1000,
    ...(result?.timedOut && { timedOut: limit }),
    ...(answer.failed !== undefined && { failed: answer.failed }),
    ...(answer.note !== undefined && { note: answer.note }),
    said: answer.said,
    stdout: result?.stdout.toString('utf8') ?? '',
    stderr: result?.stderr.toString('utf8') ?? '',
    ...((result?.stdoutCut || result?.stderrCut) && { truncated: true }),
  };
}
