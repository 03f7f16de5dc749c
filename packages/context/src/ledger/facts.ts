import type { CanonicalEvent, JsonObject, Outcome } from '@piton/contracts';
import type { LedgerEntry } from '@piton/store';
import { choicesIn } from './choices.ts';
import { causeOf, resetsAt } from './failure-cause.ts';
import { isEndOfPurpose, purposeOf } from './purpose.ts';
import { countsLine, passedBy } from './test-counts.ts';
import { todosIn } from './todos.ts';

/** Texts are kept as long as headers: as much of each as a person would quote. */
const LONGEST = { command: 1000, detail: 300, answer: 600 } as const;

export interface FactsOptions {
  /** Only the agent's transcript says how a command ended. */
  readonly endsInTranscript?: boolean;
}

/** What a session has done by this event, from the portable payload alone: the same for every agent. */
export function factsOf(event: CanonicalEvent, outcome: Outcome | null, options: FactsOptions = {}): readonly LedgerEntry[] {
  if (event.derived) return [];
  const denied = denialIn(event, outcome);
  if (denied !== undefined) return [denied];
  switch (event.event) {
    case 'post_tool_use':
      return [...done(event, options)];
    case 'post_tool_use_failure':
      return event.tool?.kind === 'shell' ? [failedCommand(event)] : [];
    case 'stop':
      return event.agentId === undefined && event.text !== undefined && event.text.trim() !== ''
        ? [{ kind: 'answer', text: endOf(event.text.trim(), LONGEST.answer) }]
        : [];
    case 'stop_failure':
      return [failureOf(event)];
    default:
      return [];
  }
}

function* done(event: CanonicalEvent, options: FactsOptions): Generator<LedgerEntry> {
  const { tool, portable } = event;
  if (tool === undefined) return;
  if (tool.kind === 'edit') for (const path of tool.files) yield { kind: 'file', path, tool: tool.name };
  if (tool.kind === 'todo') yield* todosIn(tool, portable.tool_response);
  if (tool.kind === 'shell') {
    const output = outputOf(portable.tool_response);
    yield endedCommand(event, output, options);
    yield* commitsIn(tool.command ?? '', output);
  }
  yield* choicesIn(tool, portable.tool_response);
}

function denialIn({ event, tool, text }: CanonicalEvent, outcome: Outcome | null): LedgerEntry | undefined {
  const ours = outcome?.decision.verdict === 'deny';
  if (!ours && event !== 'permission_denied') return undefined;
  const by = ours ? outcome.trace.flatMap((entry) => (entry.did === 'ran' && entry.said.decision === 'deny' ? [entry.hook] : [])) : [];
  const reason = outcome?.decision.reason ?? text ?? null;
  return {
    kind: 'denial',
    tool: tool?.name ?? null,
    what: startOf(tool?.command ?? tool?.files.join(', ') ?? '', LONGEST.command),
    reason: reason === null ? null : startOf(reason, LONGEST.detail),
    by,
  };
}

const commandOf = ({ tool, cwd }: CanonicalEvent) =>
  ({ kind: 'command', command: startOf(tool?.command ?? '', LONGEST.command), cwd, purpose: purposeOf(tool?.command ?? '', cwd) }) as const;

function endedCommand(event: CanonicalEvent, output: string, { endsInTranscript = false }: FactsOptions): LedgerEntry {
  const command = commandOf(event);
  const { tool, portable } = event;
  const isBackground = tool?.input.run_in_background === true;
  const isOpen = endsInTranscript || isBackground;
  const isInterrupted = (portable.tool_response as JsonObject | undefined)?.interrupted === true;
  const exitCode = isOpen || isInterrupted ? null : 0;
  const line = command.purpose === 'test' ? countsLine(output) : null;
  const detail = line === null ? null : endOf(line, LONGEST.detail);
  const counted = line === null ? null : passedBy(line);
  if (isOpen) return { ...command, ok: null, exitCode, detail, ...(isBackground && { background: true as const }) };
  // `npm test | tail` ends well whatever the tests do.
  const isMasked = command.purpose !== null && !isEndOfPurpose(tool?.command ?? '', event.cwd);
  return { ...command, ok: isInterrupted ? false : isMasked ? counted : true, exitCode, detail };
}

function failedCommand(event: CanonicalEvent): LedgerEntry {
  const error = textOf(event.portable.error) ?? event.text ?? '';
  const [head = '', code] = /^Exit code (-?\d+)(?:\n|$)/.exec(error) ?? [];
  const rest = error.slice(head.length).trim();
  const command = commandOf(event);
  const line = command.purpose === 'test' ? countsLine(rest) : null;
  const detail = line ?? endOf(rest, LONGEST.detail);
  return { ...command, ok: false, exitCode: code === undefined ? null : Number(code), detail: detail === '' ? null : detail };
}

/** As git prints it: `[main 1a2b3c4] subject`. */
function* commitsIn(command: string, output: string): Generator<LedgerEntry> {
  if (!/\bgit\b[^\n;|&]*\bcommit\b/.test(command)) return;
  for (const [, sha, subject] of output.matchAll(/^\[[^\]\n]+? ([0-9a-f]{7,40})\] (.*)$/gm))
    if (sha !== undefined) yield { kind: 'commit', sha, subject: startOf(subject ?? '', LONGEST.detail) };
}

function failureOf({ portable, text, source }: CanonicalEvent): LedgerEntry {
  const details = [textOf(portable.error_details), text].filter((one) => one !== undefined).join('\n');
  const said = text ?? textOf(portable.error_details) ?? textOf(portable.error);
  return {
    kind: 'failure',
    cause: causeOf(source ?? textOf(portable.error), details),
    text: said === undefined ? null : startOf(said, LONGEST.detail),
    resetsAt: resetsAt(details),
  };
}

/** What a command printed: stdout, then stderr; most agents mix them. */
function outputOf(response: unknown): string {
  if (typeof response === 'string') return response;
  const { stdout, stderr } = (response ?? {}) as { stdout?: unknown; stderr?: unknown };
  return [stdout, stderr].filter((one) => typeof one === 'string' && one !== '').join('\n');
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const startOf = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const endOf = (text: string, length: number): string => (text.length > length ? `…${text.slice(1 - length)}` : text);
