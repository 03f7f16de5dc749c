import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createGit, visitRepository } from '@piton/git';
import { findSecrets } from '../parts/secrets/find-secrets.ts';
import type { Commit } from './commits.ts';

const MAX_BYTES = 16_000_000;
const MAX_FILES = 500;
const MAX_BYTES_OF_A_FILE = 256_000;
/** `--text`: attributes and a NUL byte must hide nothing. A submodule is a commit of its own. */
const DIFF = [
  'diff',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
  '--text',
  '--unified=0',
  '--diff-filter=d',
];

interface Place {
  readonly kind: string;
  readonly place: string;
}

/** Only lines that the commit adds. A secret that is already committed is not this commit's problem. */
export async function secretsToCommit({ directory, unstaged, message, messageFiles }: Commit, signal: AbortSignal): Promise<Place[]> {
  const port = createGit({ environment: process.env });
  // Outside a repository there is nothing to commit, and git reports that itself.
  const added = await visitRepository(port, directory, process.env, (git, { root }) => {
    const run: Run = async (...args) => {
      const { stdout } = await git(args, { cwd: directory, signal, mostOutput: MAX_BYTES });
      // What was cut off may hold a secret: a policy that cannot answer denies.
      if (stdout.length >= MAX_BYTES) throw new Error(`the change is too large to be searched for secrets (more than ${MAX_BYTES} bytes)`);
      return stdout.toString();
    };
    return addedBy(run, root, unstaged);
  });
  const messages = [message, ...(await Promise.all(messageFiles.map(beginningOf)))].join('\n');
  const inMessage = findSecrets(messages).map(({ kind }) => ({ kind, place: 'the commit message' }));
  const inFiles = (added ?? []).flatMap(secretsOfDiff);
  const seen = new Set<string>();
  return [...inMessage, ...inFiles].filter(({ kind, place }) => !seen.has(kind + place) && seen.add(kind + place));
}

type Run = (...args: readonly string[]) => Promise<string>;

async function addedBy(git: Run, root: string, unstaged: boolean): Promise<string[]> {
  const staged = await git(...DIFF, '--cached');
  return unstaged ? [staged, await git(...DIFF), ...(await untracked(git, root))] : [staged];
}

/** Untracked files, as a diff would show them. */
async function untracked(git: Run, root: string): Promise<string[]> {
  const names = (await git('ls-files', '--others', '--exclude-standard', '--full-name', '-z')).split('\0').filter(Boolean);
  const texts = await Promise.all(names.slice(0, MAX_FILES).map((name) => beginningOf(join(root, name))));
  return texts.map((text, at) => `+++ b/${names[at]}\n@@ -0,0 +1 @@\n${text.replace(/^/gm, '+')}`);
}

async function beginningOf(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES_OF_A_FILE), 0, MAX_BYTES_OF_A_FILE, 0);
      const bytes = buffer.subarray(0, bytesRead);
      return bytes.toString('utf8');
    } finally {
      await file.close();
    }
  } catch {
    return ''; // gone, or not a file
  }
}

export function secretsOfDiff(diff: string): Place[] {
  return filesOf(diff).flatMap(({ name, text, lines }) =>
    findSecrets(text).map(({ kind, line }) => ({ kind, place: `${name}:${lines[line - 1] ?? line}` })),
  );
}

interface AddedLines {
  readonly name: string;
  readonly text: string;
  /** The line number in the file of each added line. */
  readonly lines: readonly number[];
}

function filesOf(diff: string): AddedLines[] {
  const files: { name: string; added: string[]; lines: number[] }[] = [];
  let number = 0;
  for (const line of diff.split('\n')) {
    const name = /^\+\+\+ (?:b\/)?(.*)$/.exec(line)?.[1];
    const hunk = /^@@ -\S+ \+(\d+)/.exec(line)?.[1];
    if (name !== undefined) files.push({ name, added: [], lines: [] });
    else if (hunk !== undefined) number = Number(hunk);
    else if (line.startsWith('+')) {
      files.at(-1)?.added.push(line.slice(1));
      files.at(-1)?.lines.push(number++);
    }
  }
  return files.map(({ name, added, lines }) => ({ name, text: added.join('\n'), lines }));
}
