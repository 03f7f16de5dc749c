import { join } from 'node:path';
import { type AgentDriver, DRIVERS, describeReal, type Facts, selectAll, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-setup.ts';
import { piton, stateOf } from '../real-claude/setup.ts';

/** What the model says of each answer. No two classes are alike, and no sum of some is another. */
const SENT = { input: 1000, output: 50, reasoning: 7, cacheRead: 300, cacheWrite5m: 20, cacheWrite1h: 4 };
/** Only the protocols of these tell what was put into a cache, and one for how long. */
const WRITES: ReadonlySet<string> = new Set(['claude', 'auggie']);
const FOR_HOW_LONG: ReadonlySet<string> = new Set(['claude']);
/** These count what was thought, but do not say how much that was. */
const NO_REASONING: ReadonlySet<string> = new Set(['auggie', 'cline', 'droid', 'kimi']);
const LAST_WORDS = 'The file is written.';
const SCRIPTED = 'Write the file as it was agreed.';

/** These tell the tokens of a session, or of a turn, in one sum. */
const ONE_SUM: ReadonlySet<string> = new Set(['droid', 'grok']);

interface Row {
  readonly kind: string;
  readonly text: string | null;
  readonly failed: number | null;
  readonly model: string | null;
  readonly tokens: string;
}

async function play(driver: AgentDriver): Promise<{ workspace: Workspace; facts: Facts; rows: Row[] }> {
  const workspace = newStage(driver);
  const script = talk(
    { ...driver.tools.shell('echo scripted > made.txt'), tokens: SENT },
    { ...driver.tools.shell('exit 3'), tokens: SENT },
    { text: LAST_WORDS, tokens: SENT },
  );
  const facts = await runWithPiton(driver, workspace, {
    script,
    prompt: SCRIPTED,
    after: [piton('sessions', 'list', '--json'), piton('server', 'stop')],
  });
  const tokens =
    "json_object('input', input, 'output', output, 'reasoning', reasoning, 'cacheRead', cache_read, 'cacheWrite', cache_write, 'cacheWrite1h', cache_write_1h)";
  const rows = selectAll(
    join(stateOf(workspace), 'piton.db'),
    `SELECT kind, text, failed, model, ${tokens} AS tokens FROM transcript_entries ORDER BY seq`,
  );
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
      const { id } = driver.pinned;
      const one = {
        input: SENT.input,
        output: SENT.output + SENT.reasoning,
        reasoning: NO_REASONING.has(id) ? 0 : SENT.reasoning,
        cacheRead: SENT.cacheRead,
        cacheWrite: WRITES.has(id) ? SENT.cacheWrite5m + SENT.cacheWrite1h : 0,
        cacheWrite1h: FOR_HOW_LONG.has(id) ? SENT.cacheWrite1h : 0,
      };
      const sum = Object.fromEntries(Object.entries(one).map(([name, count]) => [name, count * served.length]));
      expect(of('usage').map(({ tokens }) => JSON.parse(tokens) as unknown)).toEqual(ONE_SUM.has(id) ? [sum] : served.map(() => one));
      expect(of('usage').filter(({ model }) => model === null)).toEqual([]);
    });
  });
