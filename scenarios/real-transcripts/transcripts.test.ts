import { join } from 'node:path';
import { type AgentDriver, DRIVERS, describeReal, type Facts, type Room, selectAll, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-stage.ts';
import { piton, stateOf } from '../real-claude/stage.ts';

/** What the model says of each answer: so many tokens read and written. */
const ANSWER_TOKENS = 5;
const LAST_WORDS = 'The file is written.';
const SCRIPTED = 'Write the file as it was agreed.';

/** These keep their sessions in a database of their own, and print them when asked. */
const NO_FILE: ReadonlySet<string> = new Set(['opencode', 'kilo']);
/** How many tokens were used stands in another file of theirs. */
const NO_TOKENS: ReadonlySet<string> = new Set(['droid']);

interface Row {
  readonly kind: string;
  readonly text: string | null;
  readonly failed: number | null;
  readonly output: number | null;
}

async function play(driver: AgentDriver): Promise<{ room: Room; facts: Facts; rows: Row[] }> {
  const room = newStage(driver);
  const script = talk(driver.tools.shell('echo scripted > made.txt'), driver.tools.shell('exit 3'), { text: LAST_WORDS });
  const facts = await runWithPiton(driver, room, {
    script,
    prompt: SCRIPTED,
    after: [piton('sessions', 'list', '--json'), piton('server', 'stop')],
  });
  const rows = selectAll(join(stateOf(room), 'piton.db'), 'SELECT kind, text, failed, output FROM transcript_entries ORDER BY seq');
  return { room, facts, rows: rows as unknown as Row[] };
}

for (const driver of DRIVERS.filter(({ pinned }) => !NO_FILE.has(pinned.id)))
  describeReal(driver.pinned.id, 'what its transcript says is in the store', () => {
    test('the prompt, the tools, the last words and the tokens are those that the model saw and said', async () => {
      const { facts, rows } = await play(driver);
      expect(facts.appeared).toContain('made.txt');
      const of = (kind: string): Row[] => rows.filter((row) => row.kind === kind);
      const served = facts.requests.filter(({ conversation, side }) => conversation === 'main' && !side);
      expect(served).toHaveLength(3);
      expect(of('prompt').map(({ text }) => text)).toEqual([SCRIPTED]);
      expect(of('answer').map(({ text }) => text)).toEqual([LAST_WORDS]);
      expect(of('tool-call').map(({ text }) => text)).toEqual([
        expect.stringContaining('echo scripted > made.txt'),
        expect.stringContaining('exit 3'),
      ]);
      expect(of('tool-result')).toHaveLength(2);
      expect(of('usage').map(({ output }) => output)).toEqual(NO_TOKENS.has(driver.pinned.id) ? [] : served.map(() => ANSWER_TOKENS));
    });
  });
