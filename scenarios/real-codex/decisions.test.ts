import { codexDriver, codexPatch, describeReal, type ModelTurn, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { addHook, newStage, payloadsOf, runWithPiton } from './setup.ts';

const { tools } = codexDriver;
const SHELL = talk(tools.shell('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });
const PATCH = codexPatch(
  '*** Update File: README.md',
  '*** Move to: moved.md',
  '@@',
  '-# demo',
  '+# other',
  '*** Add File: new.txt',
  '+TOKEN_NEW',
);

describeReal('codex', 'what is special about it', () => {
  test('a question never lets the tool run: it is a deny that the model reads', async () => {
    const room = newStage();
    addHook(room, 'pre-tool-use', { decision: 'ask', reason: 'TOKEN_ASK may I?' });
    const facts = await runWithPiton(room, { script: SHELL });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_ASK may I?');
    expect(facts.stderr).not.toContain('Failed');
  });

  test('an end of the run that Codex cannot do still denies the tool', async () => {
    const room = newStage();
    addHook(room, 'pre-tool-use', { continue: false, stopReason: 'TOKEN_HALT' });
    const facts = await runWithPiton(room, { script: SHELL });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_HALT');
    expect(facts.stderr).not.toContain('Failed');
  });

  test('an allow is not shown as a failed hook', async () => {
    const room = newStage();
    addHook(room, 'pre-tool-use', { decision: 'allow', reason: 'fine' });
    const facts = await runWithPiton(room, { script: SHELL });
    expect(facts.appeared).toEqual(['ran.txt']);
    expect(payloadsOf(room, 'pre-tool-use')).toHaveLength(1);
    expect(facts.stderr).not.toContain('Failed');
  });

  test('a run can be ended before it begins', async () => {
    const room = newStage();
    addHook(room, 'session-start', { continue: false, stopReason: 'closed for today' });
    const facts = await runWithPiton(room, { script: SHELL });
    expect(facts).toMatchObject({ exit: 0, requests: [], appeared: [] });
  });

  test('a patch of several files is one event per file, and one deny stops the patch', async () => {
    const free = newStage();
    addHook(free, 'pre-file-edit', { decision: 'observe' });
    const done = await runWithPiton(free, { script: talk(PATCH, { text: 'Finished.' }) });
    expect(done.appeared).toEqual(['moved.md', 'new.txt']);
    const told = payloadsOf(free, 'pre-file-edit').map(({ tool_name, tool_input }) => [
      tool_name,
      (tool_input as { file_path: string }).file_path,
    ]);
    expect(told).toEqual([
      ['Edit', `${free.repo}/README.md`],
      ['Edit', `${free.repo}/moved.md`],
      ['Write', `${free.repo}/new.txt`],
    ]);

    const guarded = newStage();
    const guard = `#!/bin/sh\ncase "$PITON_TOOL_FILES" in */new.txt) echo 'TOKEN_GUARD not this file' >&2; exit 2;; esac\n`;
    guarded.writeProgram(`${guarded.home}/.config/piton/hooks/pre-file-edit/guard`, guard);
    const facts = await runWithPiton(guarded, { script: talk(PATCH, { text: 'Finished.' }) });
    expect(facts).toMatchObject({ appeared: [], changed: [] });
    expect(facts.toolResults[0]?.text).toContain('TOKEN_GUARD not this file');
  });

  test('a modified input reaches tools whose fields have other names than the portable ones', async () => {
    const room = newStage();
    addHook(room, 'pre-tool-use', { decision: 'modify', input: { todos: [{ content: 'TOKEN_TODO', status: 'pending' }] } });
    const facts = await runWithPiton(room, { script: talk(tools.todo?.([{ text: 'first', done: false }]) ?? {}, { text: 'Finished.' }) });
    expect(payloadsOf(room, 'pre-tool-use')[0]).toMatchObject({ tool_name: 'TodoWrite', tool_input: { todos: [{ content: 'first' }] } });
    expect(facts.stderr).toContain('TOKEN_TODO');
    expect(facts.toolResults[0]?.text).toBe('Plan updated');
  });

  test('a model that calls its tools from a script is guarded all the same', async () => {
    const script = (text: string): ModelTurn => ({ calls: [{ name: 'exec', namespace: 'functions', freeform: text }] });
    const room = newStage();
    addHook(room, 'pre-shell-execution', { decision: 'deny', reason: 'TOKEN_DENY no shell' });
    const facts = await runWithPiton(room, {
      script: talk(script('text(await tools.exec_command({ cmd: "echo hi > ran.txt" }))'), { text: 'Finished.' }),
      flags: ['-m', 'gpt-6.1-sol'],
    });
    expect(payloadsOf(room, 'pre-shell-execution')).toMatchObject([{ tool_name: 'Bash', tool_input: { command: 'echo hi > ran.txt' } }]);
    expect(facts.appeared).toEqual([]);
    expect(facts.tokens.TOKEN_DENY).toContain(1);
  });

  test("a subagent's events say whose they are", async () => {
    const room = newStage();
    addHook(room, 'pre-shell-execution', { decision: 'observe' });
    addHook(room, 'subagent-stop', { decision: 'observe' });
    await runWithPiton(room, {
      script: [
        { name: 'main', turns: [tools.shell('true'), tools.subagent?.('SUBTASK: look') ?? {}, { text: 'Finished.' }] },
        { name: 'sub', match: 'SUBTASK', turns: [tools.shell('ls'), { text: 'Looked.' }] },
      ],
    });
    const [main, sub] = payloadsOf(room, 'pre-shell-execution');
    const [stopped] = payloadsOf(room, 'subagent-stop');
    expect(main).not.toHaveProperty('agent_id');
    expect(sub?.session_id).toBe(main?.session_id);
    expect(sub?.agent_id).toEqual(expect.any(String));
    expect(stopped).toMatchObject({ agent_id: sub?.agent_id, last_assistant_message: 'Looked.' });
  });

  test('of context over the budget the model reads the beginning and the end', async () => {
    const room = newStage();
    addHook(room, 'session-start', { decision: 'replace', content: `TOKEN_HEAD ${'x'.repeat(20_000)} TOKEN_TAIL` });
    const facts = await runWithPiton(room, { script: SHELL });
    expect(facts.tokens).toMatchObject({ TOKEN_HEAD: expect.arrayContaining([0]), TOKEN_TAIL: expect.arrayContaining([0]) });
    expect(JSON.stringify(facts.requests[0]?.body)).not.toContain('x'.repeat(12_000));
  });

  test('a refused stop continues the run, at most eight times', async () => {
    const room = newStage();
    addHook(room, 'stop', { decision: 'continue', reason: 'TOKEN_GO on working' });
    const facts = await runWithPiton(room, { script: talk() });
    expect(facts).toMatchObject({ exit: 0, timedOut: false });
    expect(facts.requests).toHaveLength(1 + 8);
  });

  test('a denied compaction ends the turn, and context for it is kept for later', async () => {
    const script = talk({ ...tools.shell('echo hi'), promptTokens: 5_000_000 }, { text: 'Finished.' });
    const denied = newStage();
    addHook(denied, 'pre-compact', { decision: 'deny', reason: 'not now' });
    expect((await runWithPiton(denied, { script })).requests).toHaveLength(1);

    const kept = newStage();
    addHook(kept, 'pre-compact', { decision: 'replace', content: 'TOKEN_KEPT' });
    const facts = await runWithPiton(kept, { script });
    expect(facts.requests).toHaveLength(3);
    expect(facts.tokens.TOKEN_KEPT).toEqual([2]);
  });
});
