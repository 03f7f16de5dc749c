import { randomBytes } from 'node:crypto';
import { createGit } from '@piton/git';
import { autoCommit } from '../../src/auto-commit/auto-commit.ts';
import { findCheckpoint } from '../../src/history/listing.ts';
import { findRepository } from '../../src/repositories/repository.ts';
import { createWorktree } from '../../src/worktree.ts';

/** Commits the turn that this checkpoint ended, and dies by SIGKILL at the given step. */
const [root = '', stateDirectory = '', id = '', step = ''] = process.argv.slice(2);
const git = createGit({ environment: process.env });
const repository = await findRepository(git, root);
if (!repository) throw new Error(`no repository at ${root}`);
const worktree = createWorktree({ git, repository, stateDirectory, redact: (text) => text, random: (bytes) => randomBytes(bytes) });
const end = await findCheckpoint(worktree.git, repository, id);
if (!end) throw new Error(`no checkpoint ${id}`);
await autoCommit(worktree, {
  end,
  subject: 'to be killed',
  identity: { name: 'Piton', email: 'piton@localhost' },
  trailer: 'agent-work',
  onStep: (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
