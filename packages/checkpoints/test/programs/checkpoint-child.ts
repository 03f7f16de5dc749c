import { randomBytes } from 'node:crypto';
import { createGit, createPlace, findRepository, rewind, take } from '../../src/index.ts';

/** Does one thing in a process of its own, to be killed in the middle of it. */
const [root = '', stateDirectory = '', id = ''] = process.argv.slice(2);
const git = createGit({ environment: process.env });
const repository = await findRepository(git, root);
if (!repository) throw new Error(`no repository at ${root}`);
const place = createPlace({ git, repository, stateDirectory, redact: (text) => text, random: (bytes) => randomBytes(bytes) });
process.send?.('begun');
if (id) await rewind(place, id, { everything: true });
else await take(place, { kind: 'stop', name: 'to be killed', by: 'agent', session: 'crash', agent: null, turn: null });
process.disconnect?.();
