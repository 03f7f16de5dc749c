import type { Checkpoint } from '@piton/checkpoints';
import * as z from 'zod';
import { blameHere, lineJson } from '../checkpoints/blame.ts';
import { displayTitle } from '../checkpoints/checkpoint-name.ts';
import { openHere } from '../checkpoints/current-repository.ts';
import { Failure } from '../failure.ts';
import { checkpointsNamed } from '../ids/checkpoint.ts';
import { printable } from '../output/text.ts';
import type { Reader } from './history.ts';
import { historyTool } from './tool.ts';

const MAX_LISTED = 30;

export const checkpointsTool = historyTool({
  name: 'checkpoints',
  title: 'Show checkpoints',
  description:
    'Without an id: the recent checkpoints of this working tree, newest first, to which a person can go back with `piton rewind`. With an id: which files changed since the one before it.',
  input: z.object({
    id: z.string().max(100).optional().describe('The id of a checkpoint, or a unique prefix of it'),
    limit: z.number().int().min(1).max(MAX_LISTED).optional().describe('Default: 10'),
  }),
  async read({ context }: Reader, { id, limit = 10 }) {
    const checkpoints = await openHere(context);
    const all = await checkpoints.list();
    if (id === undefined) return { records: all.slice(-limit).reverse().map(described) };
    const [one, second] = checkpointsNamed(all, id);
    if (one === undefined) throw new Failure('no such checkpoint here', { remedy: 'list them with the tool checkpoints, without an id' });
    if (second !== undefined) throw new Failure('several checkpoints begin like that: give more of the id');
    const before = all.find((each) => each.id === one.before) ?? null;
    const changes = printable(await checkpoints.stat(one, before))
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return { about: { checkpoint: described(one) }, records: changes.map((change) => ({ change })) };
  },
});

const described = (one: Checkpoint) => ({
  ...{ id: one.id, kind: one.kind, name: displayTitle(one), time: one.at.toISOString() },
  ...{ agent: one.agent, session: one.session, turn: one.turn, commit: one.linked },
  branch: one.branch?.replace('refs/heads/', '') ?? null,
});

export const explainTool = historyTool({
  name: 'explain',
  title: 'Explain a line',
  description: 'Who wrote a line of a file: which agent, in which session and for which prompt, or a person.',
  input: z.object({
    file: z.string().min(1).max(4000).describe('The path, absolute or from the working directory'),
    line: z.number().int().min(1).describe('Its number, from 1'),
  }),
  async read({ context, store }: Reader, { file, line }) {
    const checkpoints = await openHere(context);
    const found = (await blameHere(context, checkpoints, file)).find((each) => each.line === line);
    if (found === undefined) throw new Failure('the file has no such line');
    const turn = found.checkpoint?.turn ?? null;
    const event = turn === null ? undefined : await store.event(turn);
    const prompt = event?.found === 'one' ? event.value.prompt : null;
    return { about: { file, line }, records: [{ ...lineJson(found), prompt }] };
  },
});
