import { type AgentDriver, type BedStep, type Compaction, MODEL_URL, type Story, talk, type Workspace } from '@piton/testing';
import { describe, expect, test } from 'vitest';
import { type Cell, playable } from './cells.ts';
import { firedIn, switchOn, writeHooks } from './hooks.ts';
import { read } from './plays.ts';
import { newTestStage, runWithPiton } from './setup.ts';
import { collect, type Tale } from './tale.ts';

const CAP = 8;
/** Agents try again what may pass: not this. */
const FAILURE = { fail: { status: 403, message: 'no' } };

async function run(tale: Tale, dress: (workspace: Workspace) => Story) {
  const { driver } = tale;
  const workspace = newTestStage(driver);
  writeHooks(workspace);
  const facts = await runWithPiton(driver, workspace, dress(workspace));
  collect(tale, workspace);
  return { facts, heard: firedIn(workspace) };
}

const claimsAt = (tale: Tale, event: Cell['event'], ...decisions: Cell['decision'][]): Cell[] =>
  playable(tale).filter((cell) => cell.event === event && decisions.includes(cell.decision));

/** A prompt that is refused never reaches the model. */
export function atThePrompt(tale: Tale): void {
  for (const cell of claimsAt(tale, 'user_prompt_submit', 'deny', 'ask')) {
    test(`${cell.decision} at ${cell.event}`, async () => {
      const { facts } = await run(tale, () => ({ prompt: `Do it: user_prompt_submit-${cell.decision}.`, script: talk() }));
      expect(facts.timedOut).toBe(false);
      tale.ledger.enter(cell, { honoured: !facts.requests.some(({ conversation }) => conversation === 'main') });
    });
  }
}

/** A hook that never lets it end: we do, after a while. */
export function atTheStop(tale: Tale): void {
  for (const cell of claimsAt(tale, 'stop', 'continue')) {
    if (tale.driver.unprovoked?.[`${cell.event}.${cell.decision}`] !== undefined) continue;
    const cap = tale.driver.ownStops ?? CAP;
    test(`${cell.decision} at ${cell.event}, and no more than ${cap} times`, async () => {
      const { facts } = await run(tale, (workspace) => {
        switchOn(workspace, cell, 'always');
        return { script: talk() };
      });
      const asked = facts.requests.filter(({ conversation }) => conversation === 'main');
      expect(facts.timedOut).toBe(false);
      expect(asked.length - 1).toBe(cap);
      tale.ledger.enter(cell, { honoured: read(facts, cell) });
    });
  }
}

/** With what is kept for later a second run takes the session up again. */
export function whenCompacting(tale: Tale): void {
  const { compaction } = tale.driver;
  const cells = [...claimsAt(tale, 'pre_compact', 'deny', 'replace'), ...claimsAt(tale, 'post_compact', 'replace')];
  if (!compaction || cells.length === 0) return;
  describe('when it compacts its context', () => {
    test.each(cells.map((cell) => [cell.decision, cell.event, cell] as const))('%s at %s', async (_decision, event, cell) => {
      const { facts, heard } = await run(tale, (workspace) => {
        switchOn(workspace, cell, 'once');
        return compacting(tale.driver, compaction, workspace);
      });
      expect(heard).toContain(event);
      const summary = facts.requests.some(({ body }) => JSON.stringify(body).includes(compaction.summary));
      tale.ledger.enter(cell, { honoured: cell.decision === 'deny' ? !summary : read(facts, cell) && summary });
    });
  });
}

function compacting(driver: AgentDriver, { prepare, flags, env, script, again }: Compaction, workspace: Workspace): Story {
  prepare?.(workspace);
  const later: BedStep[] = again
    ? [{ name: 'again', argv: driver.command('Go on.', again), env: { ...driver.env(MODEL_URL), ...env } }]
    : [];
  return { script, after: later, ...(flags && { flags }), ...(env && { env }) };
}

/** Only for what it tells: nothing can be decided any more. */
export function whenTheModelFails(tale: Tale): void {
  const told = tale.agent.events.some(({ event }) => event === 'stop_failure') && !tale.driver.unprovoked?.stop_failure;
  if (!told) return;
  test('a failed model request is reported as stop_failure', async () => {
    const { heard } = await run(tale, () => ({ script: talk(...Array.from({ length: 6 }, () => FAILURE)) }));
    expect(heard).toContain('stop_failure');
  });
}
