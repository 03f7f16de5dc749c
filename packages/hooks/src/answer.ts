import {
  type CanonicalEvent,
  type Decision,
  EVENT_FAMILIES,
  type ExecResult,
  familyOf,
  type JsonObject,
  type NativeAnswer,
  PORTABLE_EVENT_NAMES,
  type RunFailure,
} from '@piton/contracts';
import { type AnswerContext, blockOf, readAnswerObject } from './answer-object.ts';
import type { HookDefinition } from './definition.ts';
import { type Part, strongest } from './reduce.ts';

export type RunResult = Omit<ExecResult, 'id'>;

/** What a run of a hook came to. */
export interface Answer {
  /** The strongest thing that it said. */
  readonly said: Decision;
  /** All that it said. */
  readonly part: Part;
  /** It said nothing that can be used, and not because it had nothing to say. */
  readonly failed?: RunFailure;
  readonly note?: string;
}

/** Reads exit code, stdout and stderr as Claude Code would. `event` is the event's generic name. */
export function parseAnswer(hook: HookDefinition, event: CanonicalEvent['event'], result: RunResult): Answer {
  const stdout = result.stdout.toString('utf8').trim();
  const stderr = result.stderr.toString('utf8').trim();
  if (result.notStarted) return failure('spawn', stderr || 'it could not be started');
  if (result.timedOut) return failure('timeout', 'it timed out');
  if (hook.native) return nativeAnswer(result);
  const context: AnswerContext = {
    family: familyOf(event),
    eventNames: event === 'other' ? [] : [PORTABLE_EVENT_NAMES[event], PORTABLE_EVENT_NAMES[hook.event]],
    noReason: `hook ${hook.name} gave no reason`,
  };
  const read = readStdout(hook, context, result, stdout);
  if (result.exitCode === 2) return noted(blocked(read, stderr, context), read);
  if (read.kind === 'unreadable') return failure('unreadable', read.problem);
  const part = read.kind === 'object' ? read.part : undefined;
  if (result.exitCode !== 0 && !hasContent(part)) return exitFailure(result.exitCode, stderr);
  return noted(answered(part ?? (read.kind === 'text' ? read.part : { decisions: [] })), read);
}

/** Neither read nor judged. Silence with exit 0 is nothing said, in every agent. */
function nativeAnswer({ exitCode, stdout, stderr, stdoutCut }: RunResult): Answer {
  if (stdoutCut) return failure('unreadable', 'its output is too long');
  if (exitCode > 128) return exitFailure(exitCode, stderr.toString('utf8').trim());
  const native: NativeAnswer = { stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), exitCode };
  const silent = exitCode === 0 && native.stdout.trim() === '';
  return { said: { decision: 'observe' }, part: silent ? { decisions: [] } : { decisions: [], native }, note: NATIVE_NOTE };
}
const NATIVE_NOTE = "its answer is in the agent's native format and was passed on";

const noted = (answer: Answer, read: Read): Answer =>
  'note' in read && answer.note === undefined ? { ...answer, note: read.note } : answer;

type Read =
  | { readonly kind: 'object'; readonly part: Part }
  | { readonly kind: 'text'; readonly part: Part; readonly note?: string }
  | { readonly kind: 'nothing'; readonly note?: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** A line that begins like an object or a list. Blanks of its own line only: this reads megabytes of them in one pass. */
const JSON_LINE = /^[^\S\r\n\u2028\u2029]*[{[]/m;
const NOT_READ = 'part of its output looks like JSON and was ignored: an answer must be one JSON object';

function readStdout(hook: HookDefinition, context: AnswerContext, result: RunResult, stdout: string): Read {
  if (result.stdoutCut) return { kind: 'unreadable', problem: 'its output is too long' };
  if (stdout === '') return { kind: 'nothing' };
  if (stdout.startsWith('{') && stdout.endsWith('}')) {
    const value = parseObject(stdout);
    if (value === undefined) return { kind: 'unreadable', problem: 'its answer is not valid JSON' };
    const answer = readAnswerObject(value, context);
    return answer.ok ? { kind: 'object', part: answer.part } : { kind: 'unreadable', problem: answer.problem };
  }
  const looksLikeJson = JSON_LINE.test(stdout);
  // A deny that was cut, or that stands between other words, must not pass for nothing.
  if (hook.failClosed && looksLikeJson) return { kind: 'unreadable', problem: NOT_READ };
  const inject = hook.injectOutput ?? EVENT_FAMILIES[context.family].injectsText;
  const note = looksLikeJson ? { note: NOT_READ } : {};
  return inject ? { kind: 'text', part: { decisions: [{ decision: 'replace', content: stdout }] }, ...note } : { kind: 'nothing', ...note };
}

/** Exit 2 blocks what can be blocked. What stdout says besides is taken, and cannot lift it. */
function blocked(read: Read, stderr: string, context: AnswerContext): Answer {
  const part: Part = read.kind === 'object' ? read.part : { decisions: [] };
  const { exit2, block: becomes } = EVENT_FAMILIES[context.family];
  if (exit2 === 'ignored') return read.kind === 'unreadable' ? failure('unreadable', read.problem) : answered(part);
  if (exit2 === 'fails') return hasContent(part) ? answered(part) : exitFailure(2, stderr);
  // Empty feedback gives the model nothing to read.
  if (becomes === 'replace' && stderr === '') return answered(part);
  const block = blockOf(stderr || context.noReason, context);
  const already = block.decision !== 'replace' && part.decisions.some((said) => said.decision === block.decision);
  return answered(already ? part : { ...part, decisions: [...part.decisions, block] });
}

const hasContent = (part: Part | undefined): boolean =>
  part !== undefined && (part.decisions.length > 0 || part.endRun === true || part.userMessage !== undefined);

const answered = (part: Part): Answer => ({ said: strongest(part.decisions), part });

function exitFailure(exitCode: number, stderr: string): Answer {
  const signal = exitCode - 128;
  const words = signal > 0 ? `it was killed by signal ${signal}` : `it exited with code ${exitCode}`;
  // Node prints its stack and its version behind the line that names the error; shells and Python end with it.
  const [line] = /^[\w.]*Error.*/m.exec(stderr) ?? stderr.split('\n').slice(-1);
  return failure(signal > 0 ? 'crash' : 'exit', line ? `${words}: ${line.slice(0, 300)}` : words);
}

export const failure = (failed: RunFailure, note: string): Answer => ({
  said: { decision: 'observe' },
  part: { decisions: [] },
  failed,
  note,
});

function parseObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
