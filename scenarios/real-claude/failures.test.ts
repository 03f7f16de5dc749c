import { join } from 'node:path';
import { bash, describeReal, recordClaude, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import {
  addUserHook,
  configOf,
  killServer,
  livePayloads,
  newStage,
  REGISTERED,
  readEvents,
  recordedPayloads,
  runsOf,
  runWithPiton,
  saying,
  shell,
  stateOf,
  storedEvents,
} from './setup.ts';

/** Denies commands that name `forbidden`; a policy, so what cannot ask it must deny. */
function addGuard(workspace: Workspace): void {
  const guard = join(workspace.state, 'guard');
  workspace.writeProgram(
    guard,
    `#!/bin/sh\ninput=$(cat)\necho ran >> ${workspace.state}/guard-ran\ncase "$input" in *forbidden*) echo TOKEN_GUARD keep away >&2; exit 2;; esac\n`,
  );
  workspace.write(join(configOf(workspace), 'settings.json'), {
    hooks: [{ name: 'guard', event: 'pre_tool_use', matcher: 'Bash', command: guard, fail_closed: true }],
  });
}

const breakFile = (workspace: Workspace, ...names: string[]) =>
  shell(
    `break ${names.join(', ')}`,
    names.map((name) => `echo 'process.exit(1)' > '${stateOf(workspace)}/runtime/current/${name}'`).join(' && '),
  );

const failed = (text: string) => ({ failed: true, text: expect.stringContaining(text) });

describeReal('claude', 'what happens when Piton breaks', () => {
  test('the server is killed in the middle: the agent goes on, and hooks decide again', async () => {
    const workspace = newStage();
    recordClaude(workspace, REGISTERED);
    addUserHook(workspace, 'pre-tool-use', '#!/bin/sh\ncase "$(cat)" in *forbidden*) echo TOKEN_HOOK keep away >&2; exit 2;; esac\n');
    const facts = await runWithPiton(workspace, {
      script: talk(bash('echo one > one.txt'), bash('echo two > two.txt'), bash('echo forbidden > three.txt'), { text: 'Finished.' }),
      during: [{ request: 1, steps: [killServer()] }],
      after: [readEvents],
    });
    expect(facts.step('kill the server').stdout.trim()).toBe('1');
    expect(facts).toMatchObject({ exit: 0, timedOut: false, appeared: ['one.txt', 'two.txt'] });
    // Nothing lost, nothing doubled.
    expect(livePayloads(storedEvents(facts))).toEqual(recordedPayloads(workspace));
    expect(facts.toolResults.map((result) => result.failed)).toEqual([false, false, true]);
    expect(facts.toolResults[2]).toMatchObject(failed('TOKEN_HOOK'));
  });

  test('the server is killed while a hook runs: the agent goes on, and the answer still counts', async () => {
    const workspace = newStage();
    const kill = (killServer().argv[2] ?? '').replaceAll('echo $n', ':');
    addUserHook(
      workspace,
      'pre-tool-use',
      `#!/bin/sh\ncat > /dev/null\necho ran >> ${workspace.state}/ran\nif [ ! -e ${workspace.state}/once ]; then : > ${workspace.state}/once\n${kill}\nfi\necho TOKEN_AFTER >&2; exit 2\n`,
    );
    const facts = await runWithPiton(workspace, { script: talk(bash('echo one > one.txt'), { text: 'Finished.' }) });
    expect(facts).toMatchObject({ exit: 0, timedOut: false, appeared: [] });
    expect(facts.toolResults[0]).toMatchObject(failed('TOKEN_AFTER'));
    expect(runsOf(workspace, 'ran')).toBe(2);
  });

  test('a hook that crashes does not stop the agent, and the model does not see it', async () => {
    const workspace = newStage();
    for (const event of ['session-start', 'user-prompt-submit', 'pre-tool-use', 'post-tool-use', 'stop']) {
      addUserHook(workspace, event, `#!/bin/sh\ncat > /dev/null\necho ran >> ${workspace.state}/ran\necho TOKEN_CRASH >&2\nexit 1\n`);
    }
    const facts = await runWithPiton(workspace, { script: talk(bash('echo one > one.txt'), { text: 'Finished.' }) });
    expect(facts).toMatchObject({ exit: 0, stderr: '', appeared: ['one.txt'] });
    expect(facts.tokens.TOKEN_CRASH).toBeUndefined();
    expect(runsOf(workspace, 'ran')).toBe(5);
  });

  test('a fail_closed guard still decides with the server dead', async () => {
    const workspace = newStage();
    addGuard(workspace);
    const facts = await runWithPiton(workspace, {
      script: talk(bash('echo fine > fine.txt'), bash('echo forbidden > bad.txt'), { text: 'Finished.' }),
      during: [{ request: 1, steps: [killServer()] }],
    });
    expect(facts.step('kill the server').stdout.trim()).toBe('1');
    expect(facts.appeared).toEqual(['fine.txt']);
    expect(facts.toolResults[1]).toMatchObject(failed('TOKEN_GUARD keep away'));
  });

  test('a fail_closed guard still decides when no server can be started', async () => {
    const workspace = newStage();
    addGuard(workspace);
    const facts = await runWithPiton(workspace, {
      script: talk(bash('echo fine > fine.txt'), bash('echo forbidden > bad.txt'), bash('echo also > also.txt'), { text: 'Finished.' }),
      during: [{ request: 1, steps: [breakFile(workspace, 'server.cjs'), killServer()] }],
    });
    expect(facts.step('kill the server').stdout.trim()).toBe('1');
    expect(facts.toolResults.map((result) => (result.failed ? result.text : 'ran'))).toEqual([
      'ran',
      expect.stringContaining('TOKEN_GUARD keep away'),
      'ran',
    ]);
    expect(facts).toMatchObject({ exit: 0, timedOut: false, appeared: ['also.txt', 'fine.txt'] });
    expect(runsOf(workspace, 'guard-ran')).toBe(3);
  });

  test('where nothing can run the guard, the calls that it guards are denied and others run', async () => {
    const workspace = newStage();
    addGuard(workspace);
    const facts = await runWithPiton(workspace, {
      script: talk(bash('echo fine > fine.txt'), bash('echo two > two.txt'), { text: 'Finished.' }),
      during: [{ request: 1, steps: [breakFile(workspace, 'server.cjs', 'client.cjs', 'fallback.cjs'), killServer()] }],
    });
    expect(facts).toMatchObject({ exit: 0, timedOut: false, appeared: ['fine.txt'] });
    expect(facts.toolResults.map((result) => result.failed)).toEqual([false, true]);
    expect(runsOf(workspace, 'guard-ran')).toBe(1);
    expect(facts.stdout).toContain('Finished.');
  });

  test('without a guard, the agent continues where no server can be started', async () => {
    const workspace = newStage();
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'ran', { decision: 'deny', reason: 'TOKEN_NEVER' }));
    const facts = await runWithPiton(workspace, {
      script: talk(bash('echo one > one.txt'), { text: 'Finished.' }),
      before: [breakFile(workspace, 'server.cjs'), killServer()],
    });
    expect(facts).toMatchObject({ exit: 0, timedOut: false, stderr: '', appeared: ['one.txt'] });
    expect(facts.tokens.TOKEN_NEVER).toBeUndefined();
  });
});
