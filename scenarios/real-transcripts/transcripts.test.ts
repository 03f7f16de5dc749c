import { join } from 'node:path';
import { type AgentDriver, DRIVERS, describeReal, type Facts, selectAll, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-setup.ts';
import { piton, stateOf } from '../real-claude/setup.ts';

/** What the model says of each answer: so many tokens read and written. */
const ANSWER_TOKENS = 5;
const LAST_WORDS = 'The file is written.';
const SCRIPTED = 'Write the file as it was agreed.';

/** These tell the tokens of a session in one sum. */
const ONE_SUM: ReadonlySet<string> = new Set(['droid']);

interface Row {
  readonly kind: string;
  readonly text: string | null;
  readonly failed: number | null;
  readonly output: number | null;
}

async function play(driver: AgentDriver): Promise<{ workspace: Workspace; facts: Facts; rows: Row[] }> {
  const workspace = newStage(driver);
  const script = talk(driver.tools.shell('echo scripted > made.txt'), driver.tools.shell('exit 3'), { text: LAST_WORDS });
  const facts = await runWithPiton(driver, workspace, {
    script,
    prompt: SCRIPTED,
    after: [piton('sessions', 'list', '--json'), piton('server', 'stop')],
  });
  const rows = selectAll(join(stateOf(workspace), 'piton.db'), 'SELECT kind, text, failed, output FROM transcript_entries ORDER BY seq');
  return { workspace, facts, rows: rows as unknown as Row[] };
}

for (const driver of DRIVERS)
  describeReal(driver.pinned.id, 'what its transcript says is in the store', () => {
    test('prompt, tools, last answer and tokens equal what the model server saw and sent', async () => {
      const { facts, rows } = await play(driver);
      expect(facts.appeared).toContain('made.txt');
      const of = (kind: string): Row[] => rows.filter((row) => row.kind === kind);
      const served = facts.requests.filter(({ conversation, side }) => conversation === 'main' && !side);
      expect(served).toHaveLength(3);
      // OpenCode and Kilo put what their command line was given into quotes.
      expect(of('prompt').map(({ text }) => text?.replace(/^"(.*)"$/, '$1'))).toEqual([SCRIPTED]);
      expect(of('answer').map(({ text }) => text)).toEqual([LAST_WORDS]);
      expect(of('tool-call').map(({ text }) => text)).toEqual([
        expect.stringContaining('echo scripted > made.txt'),
        expect.stringContaining('exit 3'),
      ]);
      expect(of('tool-result')).toHaveLength(2);
      const tokens = served.map(() => ANSWER_TOKENS);
      const sum = [tokens.length * ANSWER_TOKENS];
      expect(of('usage').map(({ output }) => output)).toEqual(ONE_SUM.has(driver.pinned.id) ? sum : tokens);
    });
  });
