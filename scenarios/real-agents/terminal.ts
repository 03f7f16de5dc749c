import { atTerminal, talk } from '@piton/testing';
import { describe, expect, test } from 'vitest';
import { type Cell, nameOf, playableOnTerminal, tokenOf } from './cells.ts';
import { writeHooks } from './hooks.ts';
import { read } from './plays.ts';
import { newTestStage, runWithPiton } from './setup.ts';
import { collect, type Tale } from './tale.ts';

const FINISHED = 'Finished with it';

/** What hooks hear and decide where a person types, and in no headless run. */
export function onATerminal(tale: Tale): void {
  const { driver, ledger, fired } = tale;
  const { terminal } = driver;
  if (terminal === undefined) return;

  /** The person ends the agent once it has answered, or has shown why it does not. */
  const typed = async (prompt: string, until: string) => {
    const workspace = newTestStage(driver);
    writeHooks(workspace);
    const facts = await runWithPiton(atTerminal(driver, terminal, workspace, until), workspace, {
      prompt,
      script: talk(driver.tools.shell('echo typed > typed.txt'), { text: FINISHED }),
    });
    expect(facts.exit, facts.stderr).toBe(0);
    collect(tale, workspace);
    return facts;
  };

  describe('on a terminal', () => {
    test('its hooks hear what they hear nowhere else', async () => {
      const { appeared } = await typed('Do what a person types.', FINISHED);
      expect(appeared).toEqual(['typed.txt']);
      expect([...fired]).toEqual(expect.arrayContaining([...terminal.only]));
    });
    const cells = playableOnTerminal(tale);
    if (cells.length === 0) return;
    test.each(cells.map((cell) => [cell.decision, cell.event, cell] as const))('%s at %s', async (_decision, _event, cell: Cell) => {
      const isContext = cell.decision === 'replace';
      const facts = await typed(`Do it: ${nameOf(cell)}.`, isContext ? FINISHED : tokenOf(cell));
      const asked = facts.requests.some(({ conversation }) => conversation === 'main');
      ledger.enter(cell, { honoured: isContext ? read(facts, cell) : !asked });
    });
  });
}
