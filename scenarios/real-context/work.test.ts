import { readFileSync, writeFileSync } from 'node:fs';
import { type AgentDriver, DRIVERS, describeReal, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { DONE, type Fact, PROMPT, wordsIn, workFile } from '../context/work-done.ts';
import { installRecorder, recordedSteps, type SentStep } from '../real-agents/recorder.ts';
import { killServer, newTestStage, piton, shell } from '../real-agents/setup.ts';
import { playWork } from './work.ts';

/** Three agents, each with its own way to tell how a command ended. */
const DRIVEN = DRIVERS.filter(({ pinned }) => ['claude', 'codex', 'gemini'].includes(pinned.id));

const LEDGER = piton('sessions', 'ledger', '@', '--json');
/** It starts a server, as the next event of an agent would. */
const CONTINUE = piton('handoff', '--text');
const HANDOFF = piton('observations', '--kind', 'handoff', '--json');

interface Observed {
  readonly body: { readonly ended?: string; readonly goal?: { readonly text: string } };
}

const factsOf = (json: string): Fact[] => (JSON.parse(json) as { ledger: Fact[] }).ledger;

/** The recording, the run's own places named by variables. */
function recordingOf(driver: AgentDriver, workspace: Workspace): object {
  const { id, package: name, version } = driver.pinned;
  const steps = recordedSteps(workspace);
  const recording = {
    agent: id,
    recordedWith: `${name} ${version}`,
    steps,
    ...(id === 'codex' && { transcript: callsIn(workspace, steps) }),
  };
  const places = [
    [workspace.repo, '$REPO'],
    [workspace.home, '$HOME'],
    [workspace.repo.replace(/[^A-Za-z0-9]/g, '-'), '$NAME_OF_REPO'],
  ] as const;
  return JSON.parse(places.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(recording))) as object;
}

/** Codex tells how commands ended in its transcript alone. Of that, what it called and what came of it. */
function callsIn(workspace: Workspace, steps: readonly SentStep[]): unknown[] {
  const path = steps
    .map(({ payload }) => (payload as { transcript_path?: unknown }).transcript_path)
    .find((one) => typeof one === 'string');
  const lines = (workspace.read(String(path)) ?? '').split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as { payload: { type?: string } })
    .filter(({ payload }) => /_call(?:_output)?$/.test(payload.type ?? ''));
}

for (const driver of DRIVEN) {
  const { id } = driver.pinned;
  describeReal(id, 'what it did', () => {
    test('is in the ledger as it was done, and in the handoff', async () => {
      const workspace = newTestStage(driver);
      const facts = await playWork(driver, workspace, { before: [installRecorder(workspace)], after: [LEDGER, HANDOFF] });
      const text = JSON.stringify(recordingOf(driver, workspace), null, 1);
      expect(text).not.toContain(workspace.root);
      if (process.env.PITON_RECORD) writeFileSync(workFile(id), `${text}\n`);
      const rows = factsOf(facts.step(LEDGER.name).stdout);
      expect(wordsIn(rows, workspace.repo)).toEqual(DONE);
      for (const { eventId } of rows) expect(eventId).toMatch(/^[0-9A-Z]{26}$/);
      const [handoff] = JSON.parse(facts.step(HANDOFF.name).stdout) as Observed[];
      expect(handoff?.body).toMatchObject({ goal: { text: PROMPT } });
      // What the recording has is what it sends.
      const recorded = JSON.parse(readFileSync(workFile(id), 'utf8')) as { steps: { event: string }[] };
      expect(recordedSteps(workspace).map(({ event }) => event)).toEqual(recorded.steps.map(({ event }) => event));
    });

    test('is there until the moment in which server and agent were killed', async () => {
      const workspace = newTestStage(driver);
      // The answer to this request would have run the lint.
      const request = [driver.tools.todo, driver.tools.read].filter(Boolean).length + 6;
      const facts = await playWork(driver, workspace, {
        during: { request, steps: [killServer, killAgent(PROMPT)] },
        after: [CONTINUE, LEDGER],
      });
      expect(facts.exit).not.toBe(0);
      const rows = factsOf(facts.step(LEDGER.name).stdout);
      expect(wordsIn(rows, workspace.repo)).toEqual(DONE.slice(0, -1));
    });
  });
}

/** Every process that has the prompt in its command line. */
function killAgent(prompt: string) {
  const pattern = prompt.replace(/^./, (first) => `[${first}]`);
  return shell(
    'kill the agent',
    `for p in /proc/[0-9]*; do
  if tr '\\0' ' ' < $p/cmdline 2>/dev/null | grep -q '${pattern}'; then kill -9 "\${p#/proc/}"; fi
done
true`,
  );
}
