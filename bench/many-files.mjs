// A repository of so many small files, packed, with an index that is fresh.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const PERSON = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
  GIT_CONFIG_NOSYSTEM: '1',
};

export function git(root, args, { input, env = {} } = {}) {
  return execFileSync('git', args, {
    cwd: root,
    input,
    env: { ...process.env, ...PERSON, HOME: root, ...env },
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

export const fileName = (at) => `d${at % 100}/e${Math.floor(at / 100) % 10}/f${at}.txt`;

export function makeRepository(directory, files) {
  const root = join(directory, `files-${files}`);
  mkdirSync(root);
  git(root, ['init', '--quiet', '--initial-branch=main']);
  const lines = ['commit refs/heads/main\ncommitter a <a@b> 1700000000 +0000\ndata 5\nfirst\n'];
  for (let at = 0; at < files; at++) {
    const text = `file ${at}\nwith some lines\n`;
    lines.push(`M 100644 inline ${fileName(at)}\ndata ${text.length}\n${text}\n`);
  }
  git(root, ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], { input: lines.join('') });
  git(root, ['reset', '--quiet', '--hard']);
  git(root, ['status']);
  return root;
}
