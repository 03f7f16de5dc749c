import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentDriver, type BedStep, keep, runAgent, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { installRecorder, recordedIn } from './recorder.ts';
import { newTestStage, runWithPiton, shell } from './setup.ts';
import type { Tale } from './tale.ts';

const count = (name: string, directory: string): BedStep => shell(name, `ls '${directory}' | wc -l`);

/** As many as there are once nothing more comes. */
const countSettled = (name: string, directory: string): BedStep =>
  shell(name, `n=-1; while m=$(ls '${directory}' | wc -l); [ "$m" != "$n" ]; do n=$m; sleep 2; done; echo "$m"`);

/** Between the second and the fourth time that the model is asked lie two whole tool calls. */
const during = ({ goesOn }: AgentDriver, directory: string) => {
  const counted = goesOn ? countSettled : count;
  return [
    { request: 1, steps: [counted('after one call', directory)] },
    { request: 3, steps: [counted('after three calls', directory)] },
  ];
};

/** How many processes an agent starts for one tool call: with every native event registered, and as `piton init` registers them. */
export function whatItCosts({ agent, driver }: Tale): void {
  const { shell: call } = driver.tools;
  const script = talk(call('echo one'), call('echo two'), call('echo three'), { text: 'Finished.' });
  test('registrations start no more processes than they must', async () => {
    const workspace = newTestStage(driver);
    const facts = await runWithPiton(driver, workspace, {
      script,
      before: [installRecorder(workspace)],
      during: during(driver, recordedIn(workspace)),
    });
    const perCall = (run: typeof facts): number =>
      (Number(run.step('after three calls').stdout) - Number(run.step('after one call').stdout)) / 2;
    // The recorder leaves two files a call.
    const ours = perCall(facts) / 2;
    let all = 0;
    if (!driver.inProcess) {
      const bare = newTestStage(driver);
      registerAll({ agent, driver }, bare);
      all = perCall(await runAgent(driver, bare, { script, during: during(driver, calledIn(bare)), limitMs: 240_000 }));
      expect(readdirSync(calledIn(bare)).length).toBeGreaterThan(0);
      expect(ours).toBeGreaterThan(0);
    }
    expect(ours).toBeLessThanOrEqual(all);
    keep({ agent: agent.id, version: driver.pinned.version, processes: { all, ours } });
  });
}

const calledIn = (workspace: Workspace): string => join(workspace.state, 'called');

/** Every native event that the agent has, costly or not, with a program that only leaves a file. No Piton is there. */
function registerAll({ agent, driver }: Pick<Tale, 'agent' | 'driver'>, workspace: Workspace): void {
  const forwarder = join(workspace.state, 'count', 'piton-forward');
  workspace.write(join(calledIn(workspace), '.keep'), '');
  workspace.writeProgram(forwarder, `#!/bin/sh\ncat > /dev/null\n: > "${calledIn(workspace)}/$(date +%s%N).$$.$2"\n`);
  const target = { scope: 'user', forwarder, forwarderBelowHome: null, wanted: agent.events.map(({ name }) => name) } as const;
  for (const file of agent.installer.configFiles('user', driver.env(''))) {
    const path = join(workspace.home, file.path);
    const result = agent.installer.install(workspace.read(path) ?? null, target, file);
    if (!result.ok) throw new Error(result.error);
    if (result.edit.text !== null) workspace.write(path, result.edit.text);
    if (file.executable) chmodSync(path, 0o755);
  }
}
