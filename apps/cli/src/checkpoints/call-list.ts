import { type Checkpoints, type LoggedCall, shownPath } from '@piton/checkpoints';
import { withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
import { Failure } from '../failure.ts';
import { shortIdsOf } from '../ids/unique-prefix.ts';
import { table } from '../output/table.ts';
import { formatShortTime } from '../output/time.ts';
import { displayName } from './checkpoint-name.ts';
import { leftOutName } from './rewind-report.ts';

/** A call, and which one it is in its turn. Turns without a way back have no number. */
export interface NumberedCall {
  readonly call: LoggedCall;
  readonly number: number | null;
}

/** Oldest first. */
export function numberedCalls(checkpoints: Pick<Checkpoints, 'calls'>): NumberedCall[] {
  const counts = new Map<string, number>();
  return checkpoints.calls().map((call) => {
    if (call.wholeTurn) return { call, number: null };
    const number = (counts.get(call.turn) ?? 0) + 1;
    counts.set(call.turn, number);
    return { call, number };
  });
}

/** `all`: among which an ID must be unique. */
export function printCalls(context: Context, root: string, calls: readonly NumberedCall[], all: readonly string[]): void {
  const shortIds = shortIdsOf(all);
  const turnIds = shortIdsOf(calls.map(({ call: { turn } }) => turn));
  if (calls.length === 0)
    return printLine(context, withCommandName(context, 'No calls that could change files yet. They are listed from the next prompt on.'));
  context.out(
    table(context, calls, [
      { title: 'id', value: ({ call: { id } }) => shortIds.get(id) ?? id, whole: true },
      { title: 'when', value: ({ call: { atMs } }) => formatShortTime(new Date(atMs).toISOString()), narrow: 'left-out' },
      { title: 'turn', value: ({ call: { turn } }) => turnIds.get(turn) ?? turn, narrow: 'left-out' },
      { title: 'call', value: ({ number }) => (number === null ? '' : String(number)), align: 'right' },
      { title: 'tool', value: ({ call: { tool } }) => tool },
      { title: 'what', value: ({ call: { what } }) => (what.startsWith(`${root}/`) ? what.slice(root.length + 1) : what), flexible: true },
      {
        title: 'way back',
        value: ({ call }) => wayBackText(call),
        colour: ({ call }) => (call.wayBack.kind === 'none' ? 'red' : undefined),
        flexible: true,
      },
    ]),
  );
}

function wayBackText({ wayBack }: LoggedCall): string {
  if (wayBack.kind === 'none') return `none: ${wayBack.why}`;
  const folders = wayBack.skipped.filter(({ reason }) => reason === 'too-many').map(leftOutName);
  if (wayBack.kind === 'image') return folders.length === 0 ? 'all files' : `all files but ${folders.join(', ')}`;
  const names = wayBack.files.map(({ path }) => displayName(path));
  const left = wayBack.skipped.map(({ path, reason }) => `not ${displayName(path)} (${reason})`);
  return [...names, ...left].join(', ') || 'none: the file is ignored, or outside the repository';
}

export const callJson = ({ call, number }: NumberedCall): object => {
  const { id, session, agent, turn, tool, what, atMs, wayBack, wholeTurn } = call;
  const kept = wayBack.kind === 'files' ? { files: wayBack.files.map(({ path }) => shownPath(path)) } : {};
  const left =
    wayBack.kind === 'none' ? { why: wayBack.why } : { leftOut: wayBack.skipped.map((each) => ({ ...each, path: shownPath(each.path) })) };
  return {
    ...{ id, number, turn, session, agent, tool, what, at: new Date(atMs).toISOString() },
    ...(wholeTurn && { wholeTurn }),
    ...{ wayBack: wayBack.kind, ...kept, ...left },
  };
};

/** The call with this number in the latest turn that had any. */
export function callInLatestTurn(context: Context, checkpoints: Checkpoints, text: string): string {
  const calls = numberedCalls(checkpoints);
  const latest = calls.findLast(({ number }) => number !== null)?.call.turn;
  const inTurn = calls.filter(({ call, number }) => call.turn === latest && number !== null);
  const found = inTurn.find(({ number }) => String(number) === text);
  if (found) return found.call.id;
  throw new Failure(`no call ${JSON.stringify(text)} in the latest turn${inTurn.length === 0 ? '' : `, which has ${inTurn.length}`}`, {
    remedy: withCommandName(context, 'list the calls: piton rewind --calls'),
    usage: true,
  });
}
