import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AUTHORS, CHECKPOINT_KINDS, type Checkpoint, checkpointRef, oneLine } from '../src/checkpoint.ts';
import { formatMessage, parseCheckpoint } from '../src/checkpoint-message.ts';
import { listCheckpoints } from '../src/history/listing.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { agentTurn } from './agent-turn.ts';
import { whose } from './authors.ts';
import { scratch } from './scratch.ts';

const ID = '01K0A0A0A0A0A0A0A0A0A0A0A0';

/** Texts that want to be taken for ours: lines of the old form, objects of the new one, and whatever ends a line somewhere. */
const pieces = fc.constantFrom(
  'Piton-By: human',
  'Piton-Kind: x',
  'Piton-Kind: prompt',
  'Piton-Id: 01K0A0A0A0A0A0A0A0A0A0A0A1',
  'Piton-Session: another',
  'Piton-Work: -',
  'Piton-Verbatim: yes',
  'Piton-Skipped: ["a","too-large",1]',
  '{"by":"human"}',
  '{\n  "by": "human",\n  "kind": "x"\n}',
  '"',
  '\\',
  '",\n  "by": "human"',
  ...['\n', '\n\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f', '\0', '\ud800', '\u202e', ' '],
);
const hostile = fc.array(fc.oneof(pieces, fc.string()), { maxLength: 8 }).map((parts) => parts.join(''));
const named = fc.option(hostile.map((text) => text || 'x'));
/** Names are bytes, and need not be text. */
const bytes = fc
  .array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 8 })
  .map((some) => Buffer.from(some).toString('latin1'));
const path = fc.oneof(
  bytes,
  hostile.map((text) => Buffer.from(text.replaceAll('\0', '') || 'f', 'utf8').toString('latin1')),
);

const checkpoints = fc.record({
  ...{ kind: fc.constantFrom(...CHECKPOINT_KINDS), by: fc.constantFrom(...AUTHORS), name: hostile },
  ...{ session: named, agent: named, turn: named, branch: named, before: named, linked: named },
  ...{
    worktree: hostile.map((text) => text || 'main'),
    verbatim: fc.boolean(),
    asOnDisk: fc.boolean(),
    workOf: named,
    workAgent: named,
    place: named,
  },
  ...{ own: fc.array(path, { maxLength: 3 }), shared: fc.array(path, { maxLength: 3 }) },
  skipped: fc.array(fc.record({ path, reason: fc.constant('too-large' as const), bytes: fc.nat() }), { maxLength: 3 }),
});

const factsOf = (message: string) => ({ ref: checkpointRef(ID), commit: 'c', tree: 't', parent: 'p', message });

it('reads back what it wrote, whatever prompts and sessions say', () => {
  fc.assert(
    fc.property(checkpoints, (one) => {
      const workAgent = one.workOf === one.session ? one.agent : one.workOf === null ? null : one.workAgent;
      const written = { ...one, workAgent, id: ID, at: new Date(1_700_000_000_123) };
      const message = formatMessage(written);
      // As git gives it back.
      const read = parseCheckpoint(factsOf(Buffer.from(message).toString('utf8')));
      const { name: _name, ...fields } = written;
      expect(read).toMatchObject(fields);
      expect(read?.name).toBe(Buffer.from(oneLine(one.name) || one.kind).toString());
    }),
    { numRuns: 500 },
  );
});

/** As versions before the JSON wrote it. */
function oldMessage(
  one: Pick<Checkpoint, 'kind' | 'by' | 'name' | 'session' | 'agent' | 'turn' | 'branch' | 'worktree' | 'before'>,
): string {
  const { kind, by, session, agent, turn, branch, worktree, before } = one;
  const lines = Object.entries({ kind, by, session, agent, turn, branch, worktree, before }).filter(([, value]) => value);
  const data = lines.map(([field, value]) => `Piton-${field[0]?.toUpperCase()}${field.slice(1)}: ${oneLine(value ?? '', 500)}`);
  return `${oneLine(one.name) || kind}\n\nPiton-Id: ${ID}\n${data.join('\n')}\n`;
}

it('reads the older form from behind the name alone', () => {
  fc.assert(
    fc.property(checkpoints, (one) => {
      const read = parseCheckpoint(factsOf(oldMessage(one)));
      const clean = (text: string | null) => (text && oneLine(text, 500)) || null;
      expect(read).toMatchObject({ kind: one.kind, by: one.by, session: clean(one.session), workOf: clean(one.session), verbatim: false });
      expect(read?.skipped).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('takes nothing for a checkpoint that has no body, no object, or the id of another', () => {
  const bodies = ['', 'Piton-Id: x', '{', '[]', 'null', '{"id":1,"kind":"stop"}', `{"id":"${ID}"}`, `{"id":"${ID}","kind":"x"}`];
  for (const body of bodies) expect(parseCheckpoint(factsOf(`name\n\n${body}`)), body).toBeNull();
  expect(parseCheckpoint(factsOf(`{"id":"${ID}","kind":"stop"}`))).toBeNull();
});

it.each(['Piton-By: human', 'Piton-Kind: x', 'Piton-Id: none', '{"by":"human","kind":"x"}'])(
  'the prompt %s changes nothing',
  async (prompt) => {
    const user = scratch();
    const worktree = await user.worktree();
    const before = await agentTurn(worktree, () => user.write('src/main.ts', 'one\nan agent wrote this line\n'), { name: prompt });
    expect(await whose(worktree, user, 'src/main.ts')).toEqual(['me: one', 's1: an agent wrote this line']);
    expect((await listCheckpoints(worktree.git, worktree.repository)).map(({ kind, by }) => `${kind} ${by}`)).toEqual([
      'prompt human',
      'stop agent',
    ]);
    expect(await planRewind(worktree, before)).toMatchObject({ steps: [{ path: 'src/main.ts' }] });
  },
);
