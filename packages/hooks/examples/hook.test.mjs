// Tests a hook with the engine alone: no agent, no model. node --test hook.test.mjs
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineHook, fire, run } from '@piton/hooks';

/** The hook under test: a shell script, as it would stand in a settings file. `when` sees commands of any length. */
const noForcePush = defineHook({
  name: 'no-force-push',
  event: 'pre_shell_execution',
  when: { command: '/\\bgit\\s+push\\b.*--force/s' },
  timeout: 2000,
  failClosed: true,
  command: 'echo "Push without --force, or ask a person." >&2; exit 2',
});

const bash = (command) => ({ toolName: 'Bash', toolInput: { command } });

describe('no-force-push', () => {
  it('denies a forced push, and says what to do instead', async () => {
    const { decision } = await fire([noForcePush], 'pre_tool_use', bash('git push --force origin main'));
    assert.equal(decision.verdict, 'deny');
    assert.match(decision.reason, /without --force/);
  });

  it('is not lost in a long command', async () => {
    const { decision } = await fire([noForcePush], 'pre_tool_use', bash(`git push origin ${'x'.repeat(100_000)} --force`));
    assert.equal(decision.verdict, 'deny');
  });

  it('says nothing of other commands, which is not the same as allowing them', async () => {
    const { decision } = await fire([noForcePush], 'pre_tool_use', bash('git push origin main'));
    assert.equal(decision.verdict, 'observe');
  });

  it('does not run for other tools', async () => {
    assert.deepEqual(await run([noForcePush], 'pre_tool_use', 'Edit'), []);
  });

  it('cannot be talked into anything by the text of a command', async () => {
    const toolInput = { command: '"; exit 0; # git push --force' };
    const [result] = await run([noForcePush], 'pre_tool_use', 'Bash', {}, { toolInput });
    assert.equal(result.exitCode, 2);
  });
});
