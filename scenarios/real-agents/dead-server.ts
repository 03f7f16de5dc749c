import { join } from 'node:path';
import { talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { configOf, killServer, newTestStage, piton, runWithPiton } from './setup.ts';
import type { Tale } from './tale.ts';

/** A policy of the user's: what cannot ask it must deny. */
function addGuard(workspace: Workspace): void {
  const guard = join(workspace.state, 'guard');
  workspace.writeProgram(guard, '#!/bin/sh\ncase "$(cat)" in *forbidden*) echo TOKEN_GUARD keep away >&2; exit 2;; esac\n');
  workspace.write(join(configOf(workspace), 'settings.json'), {
    hooks: [{ name: 'guard', event: 'pre_tool_use', matcher: 'Bash', command: guard, fail_closed: true }],
  });
}

/** One run for both: the guard decides with the server dead, and afterwards everything is taken out again. */
export function whenPitonIsDead({ agent, driver, ledger }: Tale): void {
  test('a fail_closed guard decides with the server dead, and uninstall gives the configuration back byte for byte', async () => {
    const workspace = newTestStage(driver);
    addGuard(workspace);
    const files = agent.installer.configFiles('user', {}).map(({ path }) => join(workspace.home, path));
    const texts = () => Object.fromEntries(files.map((path) => [path, workspace.read(path) ?? null]));
    const before = texts();
    const facts = await runWithPiton(driver, workspace, {
      script: talk(driver.tools.shell('echo fine > fine.txt'), driver.tools.shell('echo forbidden > bad.txt'), { text: 'Finished.' }),
      during: [{ request: 1, steps: [killServer] }],
      after: [piton('uninstall', '--yes')],
    });
    expect(facts.step(killServer.name).stdout.trim()).toBe('1');
    expect(facts).toMatchObject({ timedOut: false, appeared: ['fine.txt'] });
    const told = facts.tokens.TOKEN_GUARD !== undefined;
    ledger.promise('a fail_closed guard decides with the server dead', told ? undefined : 'the model does not read why');
    expect(texts()).toEqual(before);
    ledger.promise('uninstall after a run gives the configuration back byte for byte');
  });
}
