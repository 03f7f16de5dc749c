import type { SkipReason, TraceEntry } from '@piton/contracts';
import type { HookRun } from '@piton/store';
import { oneLine } from '../output/text.ts';
import { formatDuration } from '../output/time.ts';

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  disabled: 'it is disabled',
  'no-match': 'its matcher or conditions did not match',
  'not-trusted': 'it is not trusted',
  'not-executable': 'it is not executable',
  broken: 'it is broken',
  truncated: 'the payload was truncated, so it could not have seen all of it',
  'out-of-budget': "the event's time budget was used up",
  'child-run': 'the event came from inside a hook, where only policies run',
  'agent-not-targeted': 'it does not run in this agent',
  late: 'the agent no longer waited for an answer',
  repeated: 'the agent reported the same end again',
  aborted: 'the agent disconnected first',
};

/** What happened to one hook. */
export function hookSentence(entry: TraceEntry): string {
  if (entry.did === 'skipped') return `${entry.hook} did not run: ${SKIPPED[entry.why]}${noteOf(entry.note)}.`;
  const { hook, durationMs, exitCode, failed, timedOut, said, note, observed } = entry;
  const when = observed ? ' after the answer' : '';
  if (timedOut) {
    const limit = timedOut === 'hook' ? 'its limit' : "the event's budget";
    return `${hook} ran${when} and timed out after ${formatDuration(durationMs)} (${limit})${noteOf(note)}.`;
  }
  if (failed)
    return `${hook} ran${when} for ${formatDuration(durationMs)} and failed (${failed}, exit ${exitCode})${noteOf(note)}${stderrOf(entry.stderr)}.`;
  return `${hook} ran${when} for ${formatDuration(durationMs)} and returned ${decisionText(said)}${noteOf(note)}.`;
}

/** The same for one that ran after the answer, of which less is stored. */
export function laterSentence(run: HookRun): string {
  if (run.did === 'skipped')
    return `${run.hook} did not run after the answer: ${SKIPPED[run.why as SkipReason] ?? run.why}${noteOf(run.note)}.`;
  const how = run.failed
    ? `failed (${run.failed}${run.exitCode === null ? '' : `, exit ${run.exitCode}`})`
    : run.said === 'observe' || run.said === null
      ? 'made no decision'
      : `would have returned ${run.said}`;
  return `${run.hook} ran after the answer for ${formatDuration(run.durationMs ?? 0)} and ${how}${noteOf(run.note)}.`;
}

function decisionText(said: Extract<TraceEntry, { did: 'ran' }>['said']): string {
  if (said.decision === 'observe') return 'nothing';
  const words = 'reason' in said ? said.reason : 'content' in said ? said.content : undefined;
  return words ? `${said.decision}: “${oneLine(words)}”` : said.decision;
}

const noteOf = (note: string | null | undefined): string => (note ? ` (${oneLine(note)})` : '');
const stderrOf = (text: string): string => (text.trim() === '' ? '' : `; on stderr: “${oneLine(text).slice(0, 300)}”`);
