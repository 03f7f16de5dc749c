import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS, findAgent } from '../../src/index.ts';
import { answerReaderOf } from '../every-agent.ts';
import { hookWith, materializerOf, texts, writtenHook } from './place.ts';

const agent = (id: string) => {
  const found = findAgent(id);
  if (!found) throw new Error(id);
  return found;
};
const claude = agent('claude');
const REASON = 'no "quotes" \\ and\n  a second line\ttabbed';
const deny = (reason = REASON) => `cat > /dev/null\ncat >&2 <<'END'\n${reason}\nEND\nexit 2`;
/** Tabs become spaces: a JSON string has no place for them. */
const SAID = 'no "quotes" \\ and\n  a second line tabbed';

describe.each(AGENTS.map((one) => [one.id, one] as const))('%s: the script that the agent runs', (_id, one) => {
  it('says a deny in the words that the agent was seen to take', async () => {
    const read = await answerReaderOf(one);
    const hook = writtenHook(one, hookWith({ action: deny() }));
    const payload = { tool_name: 'run_in_terminal', tool_call: { name: 'run_commands' } };
    const { stdout, stderr } = hook.run(payload);
    const event = hook.nativeEvents[0] ?? '';
    expect(read({ stdout: stdout.trimEnd(), stderr, exitCode: 0 }, event).denied).toBe(SAID);
  });

  it('is silent in the words of the agent where the hook says nothing', () => {
    const hook = writtenHook(one, hookWith());
    const { code, stdout, stderr } = hook.run({ tool_name: 'run_in_terminal' });
    expect({ code, stdout: stdout.trimEnd(), stderr }).toEqual({
      code: 0,
      stdout: one.noop(hook.nativeEvents[0] ?? '').stdout,
      stderr: '',
    });
  });
});

describe('what a hook says', () => {
  it('goes through as it is where it is JSON', () => {
    const said = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}';
    const { code, stdout } = writtenHook(claude, hookWith({ action: `cat > /dev/null; echo '${said}'` })).run();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${said}\n` });
  });

  it('is context where it is text at the start of a session, and none before a tool', () => {
    const action = `cat > /dev/null\necho 'look "here"'`;
    const start = JSON.parse(writtenHook(agent('gemini'), hookWith({ event: 'session_start', action })).run().stdout) as object;
    expect(start).toEqual({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'look "here"' } });
    expect(writtenHook(agent('gemini'), hookWith({ action })).run().stdout).toBe('{}\n');
  });

  it('is context before a tool too, if it wants that', () => {
    const { stdout } = writtenHook(claude, hookWith({ injectOutput: true, action: 'cat > /dev/null; echo look' })).run();
    expect(JSON.parse(stdout)).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'look' } });
  });

  it('is no context where it wants none', () => {
    const hook = writtenHook(
      agent('gemini'),
      hookWith({ event: 'session_start', injectOutput: false, action: 'cat > /dev/null; echo look' }),
    );
    expect(hook.run().stdout).toBe('{}\n');
  });

  it('reads the payload of the agent', () => {
    const hook = writtenHook(claude, hookWith({ action: 'cat > seen.json' }));
    hook.run({ tool_input: { command: "echo 'a' $(b)" } });
    expect(JSON.parse(readFileSync(join(hook.base, 'seen.json'), 'utf8'))).toEqual({ tool_input: { command: "echo 'a' $(b)" } });
  });

  it('keeps the agent working at the end of a turn', () => {
    const { stdout } = writtenHook(claude, hookWith({ event: 'stop', action: deny('tests have not run') })).run();
    expect(JSON.parse(stdout)).toEqual({ decision: 'block', reason: 'tests have not run' });
  });

  it('finds what is bundled by the variable that Piton would set', () => {
    const hook = writtenHook(claude, hookWith({ action: 'cat > /dev/null\n"$PITON_ARTIFACT_DIR"/scripts/say' }));
    mkdirSync(join(hook.base, hook.folder, 'artifact', 'scripts'), { recursive: true });
    writeFileSync(join(hook.base, hook.folder, 'artifact', 'scripts', 'say'), '#!/bin/sh\necho "$PITON_EVENT $PITON_AGENT" > found\n', {
      mode: 0o755,
    });
    hook.run();
    expect(readFileSync(join(hook.base, 'found'), 'utf8')).toBe('pre_shell_execution claude\n');
  });
});

describe('a hook that crashes', () => {
  const crash = 'cat > /dev/null; echo oops >&2; exit 3';
  it('is a failure that the agent shows, and no deny', () => {
    expect(writtenHook(claude, hookWith({ action: crash })).run()).toEqual({
      code: 1,
      stdout: '',
      stderr: 'my hook failed with exit code 3: oops\n',
    });
  });
  it('is silent where the agent would take its exit code for more than that', () => {
    expect(writtenHook(agent('copilot'), hookWith({ action: crash })).run()).toEqual({ code: 0, stdout: '{}\n', stderr: '' });
  });
  it('denies if it is fail_closed', async () => {
    const { stdout, code } = writtenHook(claude, hookWith({ action: crash, failClosed: true })).run();
    const read = await answerReaderOf(claude);
    expect(code).toBe(0);
    expect(read({ stdout, stderr: '', exitCode: 0 }, 'PreToolUse').denied).toBe('my hook failed with exit code 3: oops');
  });
  it('denies if it is fail_closed and its files are gone', () => {
    const { files } = {
      files: [] as { path: string; text: string | null }[],
      ...materializerOf(claude).materialize(hookWith({ failClosed: true }), texts()),
    };
    const [entry] = JSON.parse(files.find(({ path }) => path.endsWith('settings.json'))?.text ?? '').hooks.PreToolUse;
    expect(entry.hooks[0].command).toContain('exit 2');
  });
});

describe('a hook that only watches', () => {
  it('denies nothing and says nothing', () => {
    const hook = writtenHook(claude, hookWith({ observe: true, action: `touch ran\necho '{"decision":"block"}'\n${deny()}` }));
    expect(hook.run()).toEqual({ code: 0, stdout: '{}\n', stderr: '' });
    expect(readFileSync(join(hook.base, 'ran'), 'utf8')).toBe('');
  });
});

describe('a hook for the native payload', () => {
  it('answers the agent itself', () => {
    const hook = writtenHook(claude, hookWith({ native: true, action: 'cat > /dev/null; echo plain; echo why >&2; exit 2' }));
    expect(hook.run()).toEqual({ code: 2, stdout: 'plain\n', stderr: 'why\n' });
  });
});

describe('where the configuration has no matcher', () => {
  it('the script looks for the tool in the payload', () => {
    const hook = writtenHook(agent('cline'), hookWith({ action: deny('no') }));
    const call = (name: string) => hook.run({ hookName: 'tool_call', tool_call: { id: '1', name, input: {} } });
    expect(call('read_files')).toMatchObject({ code: 0, stdout: '{}\n' });
    expect(JSON.parse(call('run_commands').stdout)).toMatchObject({
      contextModification: 'no',
      overrideInput: { commands: expect.anything() },
    });
    expect(JSON.parse(call('execute_command').stdout)).toEqual({ cancel: true, errorMessage: 'no' });
  });
});
