import { randomBytes } from 'node:crypto';
import { autoCommit, createGit, createPlace, findCheckpoint, findRepository } from '../../src/index.ts';

/** Commits the turn that this checkpoint ended, and dies by SIGKILL at the given step. */
const [root = '', stateDirectory = '', id = '', step = ''] = process.argv.slice(2);
const git = createGit({ environment: process.env });
const repository = await findRepository(git, root);
if (!repository) throw new Error(`no repository at ${root}`);
const place = createPlace({ git, repository, stateDirectory, redact: (text) => text, random: (bytes) => randomBytes(bytes) });
const end = await findCheckpoint(git, repository, id);
if (!end) throw new Error(`no checkpoint ${id}`);
await autoCommit(place, {
  end,
  subject: 'to be killed',
  identity: { name: 'Piton', email: 'piton@localhost' },
  trailer: 'agent-work',
  onStep: (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
