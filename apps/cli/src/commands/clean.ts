import { resolve } from 'node:path';
import type { Places } from '@piton/contracts/places';
import type { Store } from '@piton/store';
import { Command } from 'commander';
import { bytesOnDisk, formatBytes } from '../clean/disk.ts';
import { filesReplacedByRewinds, goneRepositories, oldLogs, oldRuntimes, quarantinedFiles, unusedTrust } from '../clean/files.ts';
import { type CleanRequest, PART_NAMES, type Part, type PartName } from '../clean/part.ts';
import { oldCheckpoints, wholeRepository } from '../clean/repositories.ts';
import { oldBodies, openForCleaning } from '../clean/store.ts';
import { shellPath, withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { requireSession } from '../ids/session.ts';
import { changeJson } from '../install/change.ts';
import { requirePlaces } from '../locations.ts';
import { table } from '../output/table.ts';
import { replaceControls } from '../output/text.ts';
import { parseSince } from '../output/time.ts';
import { consent } from '../question.ts';
import { requireRepository } from '../repository.ts';

interface Options extends Partial<Record<PartName, boolean>> {
  readonly olderThan?: string;
  readonly sessions?: readonly string[];
  readonly repository?: string | true;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const DEFAULT_AGE = '30d';

export function cleanCommand(context: Context): Command {
  const command = new Command('clean')
    .option('--older-than <age>', 'Only data older than this: 30d, 12w or a date', DEFAULT_AGE)
    .option('--sessions <id...>', 'Only event and transcript text of these sessions, whatever its age')
    .option('--repository [path]', 'Everything that Piton keeps in a repository (default: this one), whatever its age')
    .option('--events', 'Event payloads and hook output')
    .option('--transcripts', 'Transcript text')
    .option('--checkpoints', 'Checkpoints whose work is not part of a commit and not waiting for one')
    .option('--logs', 'Logs')
    .option('--runtimes', 'Versions of Piton not in use')
    .option('--trust', 'Trusted copies that no hook uses')
    .option('--aside', 'Unreadable frames, damaged stores, and files that rewinds replaced. No other copy exists')
    .option('--all', 'Everything. By default, everything except files with no other copy')
    .option('--dry-run', 'List what would be deleted, and delete nothing')
    .option('--yes', 'Delete without asking')
    .option('--json', 'Print JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, [
    'clean',
    'clean --yes',
    'clean --older-than 12w --checkpoints',
    'clean --sessions @ --yes',
    'clean --repository',
    'clean --dry-run --json',
  ]);
}

async function run(context: Context, options: Options): Promise<void> {
  const places = requirePlaces(context);
  if (options.repository !== undefined) return cleanRepository(context, places, options.repository, options);
  const store = await openForCleaning(places, options.dryRun === true);
  try {
    const request = await requestOf(options, store);
    const unread: string[] = [];
    const parts = await findParts(context, places, store, request, unread);
    if (unread.length > 0) context.exit.code = 1;
    const done = (await confirmed(context, parts, options)) ? await removeAll(context, places, store, parts) : undefined;
    report(context, parts, done, unread, options);
  } finally {
    await store?.close();
  }
}

async function cleanRepository(context: Context, places: Places, named: string | true, options: Options): Promise<void> {
  const other = options.sessions ? 'sessions' : options.all ? 'all' : PART_NAMES.find((name) => options[name]);
  if (other !== undefined) throw new Failure(`--repository cannot be combined with --${other}`, { usage: true });
  const directory = named === true ? requireRepository(context) : resolve(context.cwd, named);
  const parts = await wholeRepository(context, places, directory);
  const done = (await confirmed(context, parts, options)) ? await removeAll(context, places, undefined, parts) : undefined;
  report(context, parts, done, [], options);
}

async function requestOf(options: Options, store: Store | undefined): Promise<CleanRequest> {
  const named = PART_NAMES.filter((name) => options[name]);
  const usual = PART_NAMES.filter((name) => name !== 'aside');
  const before = options.sessions ? new Date() : parseSince(options.olderThan ?? DEFAULT_AGE);
  if (!before)
    throw new Failure(`--older-than ${JSON.stringify(options.olderThan)} is not an age`, {
      remedy: 'use for example 30d, 12w or 2026-01-31',
      usage: true,
    });
  if (!options.sessions) return { parts: new Set(options.all ? PART_NAMES : named.length > 0 ? named : usual), before };
  const ofSessions: PartName[] = ['events', 'transcripts'];
  const other = named.find((name) => !ofSessions.includes(name));
  if (other !== undefined)
    throw new Failure(`--sessions works with --events and --transcripts only, not with --${other}`, {
      remedy: `drop --sessions, and choose ${other} by age with --older-than`,
      usage: true,
    });
  const sessions: string[] = [];
  for (const ref of options.sessions) {
    if (!store) throw new Failure(`no session starts with ${JSON.stringify(ref)}`, { remedy: 'nothing has been recorded yet' });
    sessions.push((await requireSession(store, ref)).id);
  }
  return { parts: new Set(named.length > 0 ? named : ofSessions), before, sessions };
}

async function findParts(
  context: Context,
  places: Places,
  store: Store | undefined,
  request: CleanRequest,
  unread: string[],
): Promise<Part[]> {
  const scanning = (root: string): void => {
    if (context.interactive) context.progress(`scanning ${root}…`);
  };
  const problem = (what: string): void => void unread.push(what);
  const has = (name: PartName): boolean => request.parts.has(name);
  const found = [
    ...(store ? await oldBodies(places, store, request) : []),
    ...(has('checkpoints') ? await oldCheckpoints(context, places, request, { scanning, problem }) : []),
    ...(has('logs') ? oldLogs(places, request) : []),
    ...(has('runtimes') ? oldRuntimes(places) : []),
    ...(has('checkpoints') ? goneRepositories(places) : []),
    ...(has('trust') ? unusedTrust(places) : []),
    ...(has('aside') ? [...quarantinedFiles(places, request), ...(await filesReplacedByRewinds(places, request))] : []),
  ];
  if (context.interactive) context.progress('');
  return found;
}

/** Without a terminal and without --yes it only lists. */
async function confirmed(context: Context, parts: readonly Part[], options: Options): Promise<boolean> {
  const { yes = false, dryRun, json } = options;
  if (parts.length === 0 || dryRun) return false;
  if (!json && !yes) show(context, parts);
  if (!yes && !context.interactive) return false;
  return consent(context, { question: 'Delete this permanently?', yes, command: commandOf(context, options) });
}

/** The same request again: without its options the command would delete something else than what was shown. */
function commandOf(context: Context, options: Options): string {
  const { olderThan, sessions, all, repository } = options;
  const words = [
    ...(olderThan === undefined || olderThan === DEFAULT_AGE ? [] : ['--older-than', shellPath(context, olderThan)]),
    ...(sessions ? ['--sessions', ...sessions.map((one) => shellPath(context, one))] : []),
    ...(repository === undefined ? [] : ['--repository', ...(repository === true ? [] : [shellPath(context, repository)])]),
    ...PART_NAMES.filter((name) => options[name]).map((name) => `--${name}`),
    ...(all ? ['--all'] : []),
  ];
  return ['piton clean', ...words].join(' ');
}

interface CleanResult {
  readonly before: number;
  readonly after: number;
  readonly problems: readonly string[];
}

async function removeAll(context: Context, places: Places, store: Store | undefined, parts: readonly Part[]): Promise<CleanResult> {
  const measured = [places.home, ...parts.flatMap(({ disk }) => disk ?? [])];
  const measure = (): number => measured.reduce((sum, path) => sum + bytesOnDisk(path), 0);
  const before = measure();
  const problems: string[] = [];
  for (const [at, part] of parts.entries()) {
    if (context.interactive) context.progress(`${at + 1} of ${parts.length}: ${part.name}…`);
    const problem = await part.remove();
    if (problem !== undefined) problems.push(problem);
  }
  if (store && parts.some(({ name }) => name === 'events' || name === 'transcripts')) {
    const packed = await store.compact();
    if (!packed.ok) problems.push(`could not shrink the store: ${packed.error}`);
  }
  if (context.interactive) context.progress('');
  if (problems.length > 0) context.exit.code = 1;
  return { before, after: measure(), problems };
}

const show = (context: Context, parts: readonly Part[]): void => {
  context.out(
    table(context, parts, [
      { title: 'WHAT', value: ({ what }) => what, flexible: true },
      { title: 'ABOUT', value: ({ bytes }) => formatBytes(bytes), align: 'right' },
      { title: 'WHERE', value: ({ where }) => where },
    ]),
  );
  for (const { note, where } of parts) if (note) printLine(context, context.paint('dim', `${where}: ${note}`));
};

function report(
  context: Context,
  parts: readonly Part[],
  done: CleanResult | undefined,
  unread: readonly string[],
  options: Options,
): void {
  const { json, dryRun, yes } = options;
  if (json) {
    const list = parts.map(({ name, what, where, bytes, count, note }) => ({ name, what, where, bytes, count, note: note ?? null }));
    return printJson(context, {
      done: done !== undefined,
      parts: list,
      changes: parts.flatMap(({ changes }) => changes.map(changeJson)),
      disk: done ? { before: done.before, after: done.after } : null,
      problems: [...unread, ...(done?.problems ?? [])],
    });
  }
  for (const problem of unread) printLine(context, `${context.paint('yellow', '!')} ${replaceControls(problem)}`);
  if (parts.length === 0) return printLine(context, 'Nothing to clean.');
  if (dryRun || (yes && done)) show(context, parts);
  if (done === undefined)
    return printLine(
      context,
      context.interactive && !dryRun
        ? 'Nothing was deleted.'
        : withCommandName(context, `\nNothing was deleted. To delete: \`${[commandOf(context, options), '--yes'].join(' ')}\``),
    );
  for (const problem of done.problems) printLine(context, `${context.paint('yellow', '!')} ${problem}`);
  printLine(
    context,
    `\n${formatBytes(Math.max(0, done.before - done.after))} freed: ${formatBytes(done.before)} before, ${formatBytes(done.after)} now.`,
  );
}
