import { describeReal, type Facts, qwenDriver, qwenSettings, type Story, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-setup.ts';
import { addUserHook, piton, runsOf, saying } from '../real-claude/setup.ts';

const { tools } = qwenDriver;
const SESSION = talk(tools.shell('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });
const stage = () => newStage(qwenDriver);
const run = (workspace: Workspace, story: Partial<Story> = {}): Promise<Facts> =>
  runWithPiton(qwenDriver, workspace, { script: SESSION, ...story });

describeReal('qwen', 'its traps under Piton', () => {
  test('a hook for prompts runs once a prompt, not before every request', async () => {
    const workspace = stage();
    addUserHook(
      workspace,
      'user-prompt-submit',
      saying(workspace, 'prompt', { decision: 'replace', content: 'TOKEN_PROMPT read the map' }),
    );
    const facts = await run(workspace, { script: talk(tools.shell('true'), tools.shell('true'), { text: 'Finished.' }) });
    expect(facts.requests).toHaveLength(3);
    expect(runsOf(workspace, 'prompt')).toBe(1);
    expect(facts.tokens.TOKEN_PROMPT?.[0]).toBe(0);
  });

  test('a question on a terminal does not hang a headless run: Qwen Code refuses by itself, and the model reads why', async () => {
    const workspace = stage();
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'ask', { decision: 'ask', reason: 'TOKEN_ASK may I?' }));
    const facts = await run(workspace, { terminal: true });
    expect(facts).toMatchObject({ timedOut: false, appeared: [] });
    expect(facts.toolResults[0]?.text).toContain('TOKEN_ASK may I?');
  });

  test('a deny holds beside a hook of somebody else that allows', async () => {
    const workspace = stage();
    const allows = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'deny', { decision: 'deny', reason: 'TOKEN_DENY not here' }));
    const settings = JSON.parse(workspace.read(qwenSettings(workspace)) ?? '{}');
    const other = { hooks: [{ type: 'command', command: `echo '${allows}'` }] };
    workspace.write(qwenSettings(workspace), { ...settings, hooks: { PreToolUse: [other] } });
    // Ours must come first: of several the last one counts.
    const last = `const f='${qwenSettings(workspace)}',fs=require('fs'),s=JSON.parse(fs.readFileSync(f));s.hooks.PreToolUse.reverse();fs.writeFileSync(f,JSON.stringify(s))`;
    const facts = await run(workspace, { before: [{ name: 'put the other hook last', argv: [process.execPath, '-e', last] }] });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_DENY not here');
  });

  test('a refused stop continues the run, at most eight times', async () => {
    const workspace = stage();
    addUserHook(workspace, 'stop', saying(workspace, 'stop', { decision: 'continue', reason: 'TOKEN_GO on working' }));
    const turns = Array.from({ length: 30 }, (_, i) => ({ text: `Answer number ${i}: ${'abc'.repeat(i)}` }));
    const facts = await run(workspace, { script: talk(...turns) });
    expect(facts).toMatchObject({ exit: 0, timedOut: false });
    expect(facts.requests).toHaveLength(9);
    expect(runsOf(workspace, 'stop')).toBe(9);
  });

  test('a rewritten output is what the model reads, and a deny after a tool stands beside the result', async () => {
    const workspace = stage();
    addUserHook(workspace, 'post-tool-use', saying(workspace, 'rewrite', { decision: 'rewrite', output: 'TOKEN_NEW output' }));
    const rewritten = await run(workspace);
    expect(rewritten.appeared).toEqual(['ran.txt']);
    expect(rewritten.toolResults[0]?.text).toContain('TOKEN_NEW output');
    expect(rewritten.toolResults[0]?.text).not.toContain('TOKEN_OUTPUT');

    const other = stage();
    addUserHook(other, 'post-tool-use', saying(other, 'post', { decision: 'deny', reason: 'TOKEN_POST mind the gap' }));
    const denied = await run(other);
    expect(denied.toolResults[0]?.text).toMatch(/TOKEN_OUTPUT[\s\S]*TOKEN_POST mind the gap/);
  });

  test('a list of todos that changed fires its hooks once', async () => {
    const workspace = stage();
    addUserHook(workspace, 'todo-update', saying(workspace, 'todo', ''));
    const todo = tools.todo?.([{ text: 'first', done: false }]) ?? {};
    await run(workspace, { script: talk(todo, { text: 'Finished.' }) });
    expect(runsOf(workspace, 'todo')).toBe(1);
  });

  test('uninstalling takes out ours alone, though Qwen Code has written its settings anew', async () => {
    const workspace = stage();
    const { $version: _, ...before } = JSON.parse(workspace.read(qwenSettings(workspace)) ?? '');
    workspace.write(qwenSettings(workspace), before);
    const facts = await run(workspace, { after: [piton('uninstall', '--yes')] });
    expect(facts.step('piton uninstall --yes').exit).toBe(0);
    const after = JSON.parse(workspace.read(qwenSettings(workspace)) ?? '');
    expect(after).toEqual({ ...before, $version: expect.any(Number) });
  });
});
