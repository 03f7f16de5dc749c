import type { CommandFact, Handoff } from '../handoff/handoff.ts';
import { blockOf, type Line } from '../text/block.ts';
import { quote, quoteEnd } from '../text/quote.ts';
import type { EarlierSession, Overview } from './overview.ts';

/** How much is said at the start of a session. */
export const CONTEXT_MODES = ['short', 'full', 'off'] as const;
export type ContextMode = (typeof CONTEXT_MODES)[number];
export const MAX_TOKENS: Readonly<Record<Exclude<ContextMode, 'off'>, number>> = { short: 300, full: 1000 };

export interface OverviewOptions {
  readonly agent: string;
  /** The agent's id of the session that starts: nothing is said about it itself. */
  readonly ref: string;
  readonly branch: string | null;
  readonly nowUs: number;
  /** When HEAD last moved, where that is known: what was uncommitted before may be committed. */
  readonly headMovedMs?: number | null;
  /** What runs Piton's command for the agent. */
  readonly command: string;
  /** Another hook says the branch and what is uncommitted. */
  readonly withoutTree?: boolean;
  /** The shape of the repository; only in `full`. */
  readonly structure?: readonly string[];
  /** Of the person: `{facts}` in it is what is known. */
  readonly template?: string;
}

/** What is worth saying when a session starts, within the limit; undefined if nothing is. */
export function overviewText(overview: Overview, mode: Exclude<ContextMode, 'off'>, options: OverviewOptions): string | undefined {
  const lines = [
    ...unfinishedLines(overview, options),
    ...commitLines(overview, options),
    ...treeLines(overview, options),
    ...learntLines(overview),
  ];
  const structure = mode === 'full' ? (options.structure ?? []) : [];
  if (lines.length === 0 && structure.length === 0) return undefined;
  const recent = mode === 'full' ? recentLines(overview, options) : [];
  const branch = options.branch === null || options.withoutTree ? [] : [{ text: `Branch: ${quote(options.branch, 80)}`, rank: 1 }];
  const all = [...branch, ...lines, ...structure.map((text, at) => ({ text, rank: 6 + at / 10 })), ...recent];
  return blockOf('about this repository.', all, MAX_TOKENS[mode], options.template);
}

/** Sessions here that left something open, by any agent. */
function unfinishedLines({ sessions }: Overview, options: OverviewOptions): Line[] {
  const goneOn = new Set(sessions.map(({ continues }) => continues));
  const passed = passedIn(sessions);
  const open = sessions
    .filter((session) => !isSame(session.handoff, options) && !goneOn.has(session.handoff.session) && isUnfinished(session, passed))
    .slice(0, 2);
  return open.flatMap(({ handoff, isOpen }, at) => {
    const { goal, todos = [], failure, ended } = handoff;
    const failed = failedIn(handoff, passed).slice(0, 2);
    const end =
      ended === 'crash'
        ? ', which crashed'
        : failure
          ? `, which stopped on a ${failure.cause} failure`
          : isOpen
            ? ', which did not finish'
            : '';
    const head = `Unfinished: ${handoff.agent} session ${handoff.session.slice(0, 10)}, ${ageOf(handoff.lastUs, options.nowUs)} ago${end}`;
    return [
      { text: `${head}${goal ? `; last prompt ${quote(goal.text, 160)}` : ''}`, rank: 2 + at },
      ...todos.slice(0, 4).map(({ text }, n) => ({ text: `- open to-do ${quote(text, 100)}`, rank: 2.1 + at + n / 10 })),
      ...failed.map(({ command, exitCode, detail }, n) => ({
        text: `- failed: ${quote(command, 100)}${exitCode === null ? '' : ` (exit ${exitCode})`}${detail ? ` ${quoteEnd(detail, 80)}` : ''}`,
        rank: 2.2 + at + n / 10,
      })),
    ];
  });
}

/** The last time that each command ended well, in whichever session: its event, which sorts by time. */
function passedIn(sessions: readonly EarlierSession[]): ReadonlyMap<string, string> {
  const passed = new Map<string, string>();
  for (const command of sessions.flatMap(({ handoff }) => handoff.commands ?? [])) {
    const key = keyOf(command);
    if (command.ok === true && command.eventId > (passed.get(key) ?? '')) passed.set(key, command.eventId);
  }
  return passed;
}
const keyOf = ({ cwd, command }: CommandFact): string => `${cwd}\0${command}`;

/** Tests, builds and the like that failed last, and that nobody has seen end well since. */
const failedIn = ({ commands = [] }: Handoff, passed: ReadonlyMap<string, string>): readonly CommandFact[] =>
  commands.filter((one) => one.ok === false && one.purpose !== null && (passed.get(keyOf(one)) ?? '') < one.eventId);

function isUnfinished({ handoff, isOpen }: EarlierSession, passed: ReadonlyMap<string, string>): boolean {
  const { todos = [], failure, ended } = handoff;
  return todos.length > 0 || failure !== undefined || failedIn(handoff, passed).length > 0 || (ended === 'crash' && isOpen);
}

/** What other sessions committed on this branch since this agent was last here. */
function commitLines({ sessions, commits }: Overview, options: OverviewOptions): Line[] {
  const last = sessions.find(({ handoff }) => handoff.agent === options.agent && !isSame(handoff, options))?.handoff;
  if (last === undefined) return [];
  return commits
    .filter(({ wallUs, branch, session }) => wallUs > last.lastUs && branch === options.branch && session !== last.session)
    .slice(0, 3)
    .map(({ agent, sha, subject, wallUs }, at) => ({
      text: `Committed by ${agent} ${ageOf(wallUs, options.nowUs)} ago, after your last session: ${sha.slice(0, 10)}${subject ? ` ${quote(subject, 80)}` : ''}`,
      rank: 3 + at / 10,
    }));
}

function treeLines({ image }: Overview, options: OverviewOptions): Line[] {
  if (image === null || image.count === 0 || (options.headMovedMs ?? 0) > image.atMs) return [];
  const age = ageOf(image.atMs * 1000, options.nowUs);
  const files = image.files.slice(0, 3).map((file) => quote(file, 60));
  const more = image.count > files.length ? ` and ${image.count - files.length} more` : '';
  return [
    ...(options.withoutTree ? [] : [{ text: `Uncommitted ${age} ago: ${files.join(', ')}${more}`, rank: 3.5 }]),
    { text: `To return to that state: ${options.command} rewind ${image.checkpoint}`, rank: 5 },
  ];
}

function learntLines({ learnt }: Overview): Line[] {
  const works = learnt.filter((one) => one.kind === 'works').slice(0, 3);
  const fixes = learnt.filter((one) => one.kind === 'fix').slice(0, 2);
  return [
    ...works.map(({ command, purpose }, at) => ({ text: `Works here (${purpose}): ${quote(command, 100)}`, rank: 4 + at / 10 })),
    ...fixes.map(({ command, error, fixedBy }, at) => ({
      text: `Failed here before: ${quote(command, 80)} with ${quoteEnd(error, 80)}; then fixed by ${quote(fixedBy, 80)}`,
      rank: 4.5 + at / 10,
    })),
  ];
}

const recentLines = ({ sessions }: Overview, options: OverviewOptions): Line[] =>
  sessions
    .filter(({ handoff }) => !isSame(handoff, options))
    .slice(0, 5)
    .map(({ handoff: { agent, session, lastUs, goal } }, at) => ({
      text: `Session ${session.slice(0, 10)}, ${agent}, ${ageOf(lastUs, options.nowUs)} ago${goal ? `: ${quote(goal.text, 80)}` : ''}`,
      rank: 8 + at / 10,
    }));

const isSame = ({ agent, ref }: Handoff, options: OverviewOptions): boolean => agent === options.agent && ref === options.ref;

/** In one unit: a model does not need more. */
export function ageOf(thenUs: number, nowUs: number): string {
  const minutes = Math.max(0, Math.floor((nowUs - thenUs) / 60_000_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}
