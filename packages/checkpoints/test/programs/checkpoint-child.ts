import { randomBytes } from 'node:crypto';
import { createGit } from '@piton/git';
import { autoCommit } from '../../src/auto-commit/auto-commit.ts';
import { findCheckpoint } from '../../src/history/listing.ts';
import { linkCommit } from '../../src/links/link.ts';
import { findRepository } from '../../src/repositories/repository.ts';
import { rewind } from '../../src/rewind/rewind.ts';
import { mergePacks } from '../../src/snapshot/packs.ts';
import { noteTask, takeTask } from '../../src/subagents/task-notes.ts';
import { takeAtBoundary } from '../../src/turns/boundary-checkpoint.ts';
import { beginTurn } from '../../src/turns/open-turns.ts';
import { createWorktree, type Worktree } from '../../src/worktree.ts';

/** Does one thing in a process of its own, to be killed in the middle of it. */
const [root = '', stateDirectory = '', act = '', about = ''] = process.argv.slice(2);
const git = createGit({ environment: process.env });
const repository = await findRepository(git, root);
if (!repository) throw new Error(`no repository at ${root}`);
const worktree = createWorktree({ git, repository, stateDirectory, redact: (text) => text, random: (bytes) => randomBytes(bytes) });

const turn = (session: string) => ({ name: 'to be killed', session, agent: null, turn: session });

async function commitTurn({ git, repository }: Worktree, session: string): Promise<void> {
  const taken = await takeAtBoundary(worktree, { ...turn(session), kind: 'stop', by: 'agent' });
  if (taken.result === 'failed') return;
  const end = taken.result === 'made' ? taken.checkpoint : await findCheckpoint(git, repository, taken.id);
  const identity = { name: 'Piton', email: 'piton@localhost' };
  if (end?.session === session) await autoCommit(worktree, { end, subject: 'to be killed', identity, trailer: 'agent-work' });
}

const acts: Record<string, () => Promise<unknown>> = {
  take: () => takeAtBoundary(worktree, { ...turn('crash'), kind: 'stop', by: 'agent' }),
  begin: () => beginTurn(worktree, turn('crash')).done,
  task: async () => {
    await noteTask(worktree, { session: 'crash', order: 1 });
    await takeTask(worktree, { session: 'crash', order: 1 }, turn('crash'));
  },
  packs: () => mergePacks(worktree.git, repository, { always: true }),
  rewind: () => rewind(worktree, about, { everything: true }),
  link: () => linkCommit(worktree),
  'auto-commit': () => commitTurn(worktree, about),
};
process.send?.('begun');
await acts[act]?.();
process.disconnect?.();
