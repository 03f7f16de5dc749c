import { type FetchedCommit, type FetchedEntry, withFetchedCommit } from '@piton/git';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { gitHere } from '../programs.ts';
import { chooseHookOf, filesOf, hookFolders, MOST_FILES, MOST_HOOK_BYTES } from './hook-folders.ts';
import type { FetchedHook, SignedText } from './origin.ts';
import { baseNameOf, protocolOf, type SourceRef, sourceText } from './source-ref.ts';
import type { SourceEntry } from './tar.ts';

/** Packed, in one commit. A repository of hooks is small; one that is not, somebody can clone. */
const MOST_BYTES = 64 * 1024 * 1024;

type GitRef = Extract<SourceRef, { kind: 'git' }>;

const KINDS: Readonly<Record<string, string>> = { '120000': 'a symbolic link', '160000': 'a submodule' };

/** One commit of a repository, and of it the folder of one hook. */
export async function gitHook(context: Context, ref: GitRef, wanted: string | undefined, signal: AbortSignal): Promise<FetchedHook> {
  const where = sourceText(ref);
  const request = { url: ref.url, ref: ref.ref, protocols: [protocolOf(ref.url)], mostBytes: MOST_BYTES, signal };
  const fetched = await withFetchedCommit(gitHere(context), request, (commit) => readHook(commit, ref, wanted, where));
  if (fetched.ok) return fetched.value;
  throw new Failure(`git could not get it: ${fetched.why}`, {
    where,
    remedy: /^[0-9a-f]{7,39}$/.test(ref.ref ?? '')
      ? 'give the whole commit id, a branch or a tag'
      : 'check the address and what follows the "#". For a private repository use ssh, or clone it and add the folder',
  });
}

async function readHook(fetched: FetchedCommit, ref: GitRef, wanted: string | undefined, where: string): Promise<FetchedHook> {
  const entries = fetched.entries.map((entry) => ({ ...entry, path: textOf(entry.path) }));
  const { name, path } = chooseHookOf(
    hookFolders(
      entries.filter(({ mode }) => mode.startsWith('100')).map((entry) => entry.path),
      baseNameOf(ref),
    ),
    wanted,
    where,
  );
  const own = entries.filter((entry) => path === '' || entry.path.startsWith(`${path}/`));
  // Before they are read: their sizes are known.
  if (own.length > MOST_FILES || own.reduce((sum, { size }) => sum + size, 0) > MOST_HOOK_BYTES)
    throw new Failure(`${name} holds more than ${MOST_FILES} files or ${MOST_HOOK_BYTES / 1024 / 1024} MB, which nobody could read`, {
      where,
    });
  const blobs = own.filter(({ mode }) => mode.startsWith('100'));
  const contents = await fetched.readBlobs(blobs.map(({ oid }) => oid));
  const read = new Map(blobs.map((entry, at) => [entry.path, contents[at] as Buffer]));
  return {
    name,
    files: filesOf(
      own.map((entry) => entryOf(entry, read)),
      path,
      where,
    ),
    origin: { kind: 'git', source: where, path, commit: fetched.commit },
    signed: [...signedTag(fetched), ...signedCommit(fetched.commitText)],
  };
}

/** A name that is no UTF-8 gets a mark that no path of ours may have. */
const textOf = (path: Buffer): string => path.toString('utf8');

const entryOf = ({ path, mode }: Omit<FetchedEntry, 'path'> & { path: string }, read: ReadonlyMap<string, Buffer>): SourceEntry => ({
  path,
  executable: mode === '100755',
  bytes: read.get(path) ?? Buffer.alloc(0),
  ...(!mode.startsWith('100') && { not: KINDS[mode] ?? 'not a file' }),
});

const BEGIN = /^-----BEGIN (?:SSH|PGP) (?:SIGNATURE|MESSAGE)-----$/m;

/** The signature stands in the head of a commit, each further line of it behind a space. It is on everything else. */
function signedCommit(commit: Buffer): SignedText[] {
  const text = commit.toString('latin1');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end + 1);
  const found = /^gpgsig(?:-sha256)? (.*\n(?: .*\n)*)/m.exec(head);
  if (found === null) return [];
  const rest = head.replace(/^gpgsig(?:-sha256)? .*\n(?: .*\n)*/gm, '') + text.slice(head.length);
  return [{ of: 'commit', namespace: 'git', text: Buffer.from(rest, 'latin1'), signature: (found[1] ?? '').replace(/^ /gm, '') }];
}

/** Of a tag it stands at the end. A tag of a tag says nothing of the commit. */
function signedTag({ tagText, commit }: FetchedCommit): SignedText[] {
  const text = tagText?.toString('latin1') ?? '';
  const begin = text.search(BEGIN);
  if (begin < 0 || !text.startsWith(`object ${commit}\n`)) return [];
  return [{ of: 'tag', namespace: 'git', text: Buffer.from(text.slice(0, begin), 'latin1'), signature: text.slice(begin) }];
}
