import { join } from 'node:path';
import { type Room, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { configOf, killServer, newTestStage, piton, runWithPiton } from './setup.ts';
import type { Tale } from './tale.ts';

/** A policy of the user's: what cannot ask it must deny. */
function addGuard(room: Room): void {
  const guard = join(room.state, 'guard');
  room.writeProgram(guard, '#!/bin/sh\ncase "$(cat)" in *forbidden*) echo TOKEN_GUARD keep away >&2; exit 2;; esac\n');
  room.write(join(configOf(room), 'settings.json'), {
    hooks: [{ name: 'guard', event: 'pre_tool_use', matcher: 'Bash', command: guard, fail_closed: true }],
  });
}

/** One run for both: the guard decides with the server dead, and afterwards everything is taken out again. */
export function whenPitonIsDead({ agent, driver, ledger }: Tale): void {
  test('a fail_closed guard decides with the server dead, and uninstall gives the configuration back byte for byte', async () => {
    const room = newTestStage(driver);
    addGuard(room);
    const files = agent.installer.configFiles('user', {}).map(({ path }) => join(room.home, path));
    const texts = () => Object.fromEntries(files.map((path) => [path, room.read(path) ?? null]));
    const before = texts();
    const facts = await runWithPiton(driver, room, {
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
