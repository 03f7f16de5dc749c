import type { Checkpoint, Checkpoints } from '@piton/checkpoints';
import { shownPath } from '@piton/checkpoints';
import type { PageDiff, PageFile, PageFileDiff, PageLines, PageTree, PageTreeEntry } from '@piton/contracts/page';
import { badRequest, notFound } from '../../answer.ts';
import { requiredIn } from '../../query.ts';
import type { PageReader } from '../../reader.ts';
import { boundedText } from '../../text.ts';
import { checkpointCommands, checkpointRow, knownSessions } from './checkpoint-rows.ts';
import { outputOf, requireCheckpoints } from './repositories.ts';
import { workingTreeEntries } from './working-tree.ts';

const MAX_ENTRIES = 2000;
const MAX_DIFFS = 300;
const MAX_PATCH = 20_000;
const MAX_DIFF_BYTES = 8_000_000;
const MAX_LINES = 20_000;

/** A tree that can be looked at, and the one before it. */
interface Step {
  readonly commit: string;
  /** Null where nothing was before. */
  readonly before: string | null;
  readonly checkpoint: Checkpoint | null;
}

/** A checkpoint by its id, or a commit by its hash. Nothing else of what git would understand. */
async function stepOf(checkpoints: Checkpoints, at: string): Promise<Step> {
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(at)) {
    const all = await checkpoints.listAll();
    const one = all.find(({ id }) => id === at);
    if (one === undefined) throw notFound('no such checkpoint', 'it may have been cleaned up');
    return { commit: one.commit, before: all.find(({ id }) => id === one.before)?.commit ?? one.base, checkpoint: one };
  }
  if (!/^(?:[0-9a-f]{7,64}|HEAD)$/.test(at)) throw badRequest('at is a checkpoint or a commit');
  const commit = (await outputOf(checkpoints, ['rev-parse', '--verify', '--end-of-options', `${at}^{commit}`], 200).catch(() => null))
    ?.toString()
    .trim();
  if (!commit) throw notFound('no such commit');
  const parent = await checkpoints.git(['rev-parse', '--quiet', '--verify', `${commit}^1`], { cwd: checkpoints.repository.root });
  return { commit, before: parent.code === 0 ? parent.stdout.toString().trim() : null, checkpoint: null };
}

const emptyTree = ({ repository }: Checkpoints): string =>
  repository.objectFormat === 'sha1'
    ? '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    : '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321';

function pathIn(query: URLSearchParams): string {
  const path = (query.get('path') ?? '').replace(/^\/+|\/+$/g, '');
  if (path.split('/').includes('..') || path.includes('\0')) throw badRequest('path lies outside');
  return path;
}

export async function answerTree(reader: PageReader, query: URLSearchParams, id: string): Promise<PageTree> {
  const { checkpoints } = await requireCheckpoints(reader, id);
  const at = query.get('at');
  const path = pathIn(query);
  const inside = path === '' ? '' : `${path}/`;
  const entries = at === null ? await workingTreeEntries(checkpoints, inside) : await entriesAt(checkpoints, at, inside);
  const sorted = entries.sort(
    (one, other) => Number(other.kind === 'folder') - Number(one.kind === 'folder') || one.name.localeCompare(other.name),
  );
  return { at, path, entries: sorted.slice(0, MAX_ENTRIES), cut: Math.max(0, entries.length - MAX_ENTRIES) };
}

async function entriesAt(checkpoints: Checkpoints, at: string, inside: string): Promise<PageTreeEntry[]> {
  const { commit, before } = await stepOf(checkpoints, at);
  const listed = await outputOf(
    checkpoints,
    ['--literal-pathspecs', 'ls-tree', '-z', '-l', commit, ...(inside === '' ? [] : ['--', inside])],
    MAX_DIFF_BYTES,
  );
  const from = before ?? emptyTree(checkpoints);
  const names = await outputOf(
    checkpoints,
    ['--literal-pathspecs', 'diff-tree', '-r', '-z', '--name-only', '--no-renames', from, commit, ...(inside === '' ? [] : ['--', inside])],
    MAX_DIFF_BYTES,
  );
  const changed = new Set(
    names
      .toString('utf8')
      .split('\0')
      .filter(Boolean)
      .map((name) => name.slice(inside.length).split('/')[0] ?? ''),
  );
  return listed
    .toString('latin1')
    .split('\0')
    .flatMap((line): PageTreeEntry[] => {
      const [, mode, size, raw] = /^(\d+) \w+ \w+ +(\S+)\t([\s\S]*)$/.exec(line) ?? [];
      if (raw === undefined || mode === undefined) return [];
      const full = shownPath(raw);
      const name = full.slice(inside.length);
      return [
        {
          name,
          path: full,
          kind: KINDS[mode] ?? 'file',
          bytes: size === undefined || size === '-' ? null : Number(size),
          changed: changed.has(name),
        },
      ];
    });
}

const KINDS: Readonly<Record<string, PageTreeEntry['kind']>> = { '040000': 'folder', '120000': 'link', '160000': 'submodule' };

export const answerCheckpoint = (reader: PageReader, _: URLSearchParams, id: string, checkpoint: string): Promise<PageDiff> =>
  answerDiff(reader, new URLSearchParams({ at: checkpoint }), id);

export async function answerDiff(reader: PageReader, query: URLSearchParams, id: string): Promise<PageDiff> {
  const { root, checkpoints } = await requireCheckpoints(reader, id);
  const at = requiredIn(query, 'at');
  const given = query.get('from');
  const step = await stepOf(checkpoints, at);
  const from = given === null ? step.before : (await stepOf(checkpoints, given)).commit;
  const path = pathIn(query);
  const patch = await patchOf(checkpoints, from, step.commit, path);
  const of = (file: string): string => ['patch', id, at, given ?? '', Buffer.from(file).toString('base64url')].join('.');
  const files = filesInPatch(reader.redactor.text(patch.toString('utf8')), of);
  const { checkpoint } = step;
  const sessionOf = await knownSessions(await reader.store(), checkpoint === null ? [] : [checkpoint]);
  return {
    ...{ at, from: given, checkpoint: checkpoint && checkpointRow(root, checkpoint, sessionOf) },
    ...{ files: files.slice(0, MAX_DIFFS), cut: Math.max(0, files.length - MAX_DIFFS) },
    commands: checkpoint === null ? [] : checkpointCommands(reader, root, checkpoint),
  };
}

const patchOf = (checkpoints: Checkpoints, from: string | null, to: string, path: string): Promise<Buffer> =>
  outputOf(
    checkpoints,
    [
      '--literal-pathspecs',
      'diff-tree',
      '-r',
      '-p',
      '-M',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      from ?? emptyTree(checkpoints),
      to,
      ...(path === '' ? [] : ['--', path]),
    ],
    MAX_DIFF_BYTES,
  );

/** The whole patch of one file, by what `answerDiff` has named it. */
export async function wholePatch(
  reader: PageReader,
  [id = '', at = '', given = '', file = '']: readonly string[],
): Promise<string | undefined> {
  const { checkpoints } = await requireCheckpoints(reader, id);
  const step = await stepOf(checkpoints, at);
  const from = given === '' ? step.before : (await stepOf(checkpoints, given)).commit;
  const path = pathIn(new URLSearchParams({ path: Buffer.from(file, 'base64url').toString('utf8') }));
  const patch = reader.redactor.text((await patchOf(checkpoints, from, step.commit, path)).toString('utf8'));
  const start = patch.search(/^@@/m);
  return start === -1 ? undefined : patch.slice(start);
}

/** Git's patch, file by file. Names come from the lines that git writes for them, never from `diff --git`, where they run together. */
export function filesInPatch(patch: string, of: (path: string) => string): PageFileDiff[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const start = part.search(/^@@/m);
      const head = start === -1 ? part : part.slice(0, start);
      const hunks = start === -1 ? '' : part.slice(start);
      const field = (name: string): string | undefined => new RegExp(`^${name}(.*)$`, 'm').exec(head)?.[1];
      const [, same] = /^diff --git "?a\/(.*?)"? "?b\/\1"?$/m.exec(head) ?? [];
      const side = (name: string): string | undefined => {
        const given = field(name);
        return given === undefined || given === '/dev/null' ? undefined : unquote(given.replace(/\t$/, '')).replace(/^[ab]\//, '');
      };
      const oldPath = field('rename from ') ?? side('--- ');
      const path = field('rename to ') ?? side('\\+\\+\\+ ') ?? oldPath ?? same ?? '';
      const lines = hunks.split('\n');
      const isNew = /^new file mode/m.test(head);
      const isGone = /^deleted file mode/m.test(head);
      const isRenamed = field('rename to ') !== undefined;
      const binary = /^Binary files /m.test(head);
      return {
        path: unquote(path),
        oldPath: isRenamed && oldPath !== undefined ? unquote(oldPath) : null,
        change: isNew ? 'added' : isGone ? 'deleted' : isRenamed ? 'renamed' : hunks === '' && !binary ? 'mode' : 'changed',
        binary,
        added: lines.filter((line) => line.startsWith('+')).length,
        removed: lines.filter((line) => line.startsWith('-')).length,
        patch: boundedText(hunks, MAX_PATCH, of(unquote(path))),
      };
    });
}

/** Git quotes names with unusual characters as C does: bytes in octal. */
function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
  for (const [, octal, letter, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gsu))
    bytes.push(...(octal ? [Number.parseInt(octal, 8)] : letter ? [escapes[letter] ?? letter.charCodeAt(0)] : Buffer.from(plain ?? '')));
  return Buffer.from(bytes).toString('utf8');
}

/** A file's lines with their authors; of the working tree, or of a commit. */
export async function answerFile(reader: PageReader, query: URLSearchParams, id: string): Promise<PageFile> {
  const { root, checkpoints } = await requireCheckpoints(reader, id);
  const path = pathIn(new URLSearchParams({ path: requiredIn(query, 'path') }));
  const at = query.get('at');
  const rev = at === null ? undefined : (await stepOf(checkpoints, at)).commit;
  const blamed = await checkpoints.blame(`${root}/${path}`, rev);
  if (blamed.result === 'unblamable') return { path, at, why: blamed.why, runs: [], cut: 0 };
  const lines = blamed.lines.slice(0, MAX_LINES);
  const store = await reader.store();
  const sessionOf = await knownSessions(store, lines);
  const prompts = new Map<string, string | null>();
  for (const turn of new Set(lines.flatMap(({ checkpoint }) => checkpoint?.turn ?? []))) {
    const [event] = (await store?.events({ ids: [turn] })) ?? [];
    prompts.set(turn, event?.prompt?.slice(0, 300) ?? null);
  }
  const runs: (PageLines & { lines: string[] })[] = [];
  for (const { line, text, by, agent, session, checkpoint, commit } of lines) {
    const head = {
      by,
      agent,
      session: sessionOf(session),
      checkpoint: checkpoint?.id ?? null,
      prompt: prompts.get(checkpoint?.turn ?? '') ?? null,
      commit,
    };
    const last = runs.at(-1);
    const shown = reader.redactor.text(text);
    if (last && isSame(last, head)) last.lines.push(shown);
    else runs.push({ ...head, from: line, lines: [shown] });
  }
  return { path, at, why: null, runs, cut: blamed.lines.length - lines.length };
}

const isSame = (run: PageLines, head: Omit<PageLines, 'from' | 'lines'>): boolean =>
  run.by === head.by &&
  run.agent === head.agent &&
  run.session === head.session &&
  run.checkpoint === head.checkpoint &&
  run.commit === head.commit;
