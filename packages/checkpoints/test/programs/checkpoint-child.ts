import { randomBytes } from 'node:crypto';
import {
  autoCommit,
  beginTurn,
  createGit,
  createPlace,
  findCheckpoint,
  findRepository,
  linkCommit,
  mergePacks,
  noteTask,
  type Place,
  rewind,
  takeOwn,
  takeTask,
} from '../../src/index.ts';

/** Does one thing in a process of its own, to be killed in the middle of it. */
const [root = '', stateDirectory = '', act = '', about = ''] = process.argv.slice(2);
const git = createGit({ environment: process.env });
const repository = await findRepository(git, root);
if (!repository) throw new Error(`no repository at ${root}`);
const place = createPlace({ git, repository, stateDirectory, redact: (text) => text, random: (bytes) => randomBytes(bytes) });

const turn = (session: string) => ({ name: 'to be killed', session, agent: null, turn: session });

async function commitTurn({ git, repository }: Place, session: string): Promise<void> {
  const taken = await takeOwn(place, { ...turn(session), kind: 'stop', by: 'agent' });
  if (taken.result === 'failed') return;
  const end = taken.result === 'made' ? taken.checkpoint : await findCheckpoint(git, repository, taken.id);
  const identity = { name: 'Piton', email: 'piton@localhost' };
  if (end?.session === session) await autoCommit(place, { end, subject: 'to be killed', identity, trailer: 'agent-work' });
}

const acts: Record<string, () => Promise<unknown>> = {
  take: () => takeOwn(place, { ...turn('crash'), kind: 'stop', by: 'agent' }),
  begin: () => beginTurn(place, turn('crash')).done,
  task: async () => {
    await noteTask(place, { session: 'crash', order: 1 });
    await takeTask(place, { session: 'crash', order: 1 }, turn('crash'));
  },
  packs: () => mergePacks(git, repository, { always: true }),
  rewind: () => rewind(place, about, { everything: true }),
  link: () => linkCommit(place),
  'auto-commit': () => commitTurn(place, about),
};
process.send?.('begun');
await acts[act]?.();
process.disconnect?.();
