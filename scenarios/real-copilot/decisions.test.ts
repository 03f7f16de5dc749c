import { join } from 'node:path';
import { copilotDriver, describeReal, type ModelScript, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { addHook, FOR_PROJECT, FOR_USER, newStage, payloadsOf, runWithPiton } from './setup.ts';

const { tools } = copilotDriver;
const SHELL = talk(tools.shell('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });
const DELEGATE: ModelScript = [
  { name: 'main', turns: [tools.subagent?.('SUBTASK list files') ?? {}, { text: 'Finished.' }] },
  { name: 'sub', match: 'SUBTASK', turns: [tools.shell('ls'), { text: 'Listed.' }] },
];

describeReal('copilot', 'what is special about it', () => {
  test('a question that nobody can answer is a deny that the model reads', async () => {
    const room = newStage();
    addHook(room, 'pre-tool-use', { decision: 'ask', reason: 'TOKEN_ASK may I?' });
    const facts = await runWithPiton(room, { script: SHELL });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_ASK may I?');
  });

  test('an end of the run that it ignores still denies the tool', async () => {
    const room = newStage();
    addHook(room, 'pre-tool-use', { continue: false, stopReason: 'TOKEN_HALT' });
    const facts = await runWithPiton(room, { script: SHELL });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_HALT');
  });

  test('an end of the run at a permission request ends it', async () => {
    const room = newStage();
    addHook(room, 'permission-request', { continue: false, stopReason: 'TOKEN_HALT' });
    const facts = await runWithPiton(room, { script: SHELL });
    expect(facts.appeared).toEqual([]);
    expect(facts.requests).toHaveLength(1);
  });

  test('a hook that crashes denies nothing, though for Copilot CLI itself it would', async () => {
    const room = newStage();
    room.writeProgram(join(room.home, '.config/piton/hooks/pre-tool-use/crash'), '#!/bin/sh\necho oops >&2\nexit 1\n');
    expect((await runWithPiton(room, { script: SHELL })).appeared).toEqual(['ran.txt']);
  });

  test('registrations without Piton deny nothing', async () => {
    const room = newStage();
    addHook(room, 'pre-tool-use', { decision: 'deny', reason: 'TOKEN_DENY' });
    const gone = { name: 'Piton is gone', argv: ['rm', '-rf', join(room.home, '.local/state/piton')] as const };
    const facts = await runWithPiton(room, { script: SHELL }, [FOR_USER, gone]);
    expect(room.read(join(room.home, '.copilot/hooks/piton.json'))).toContain('piton-forward');
    expect(facts).toMatchObject({ exit: 0, appeared: ['ran.txt'] });
  });

  test('an edit is reported and modified with portable fields', async () => {
    const room = newStage();
    room.write(join(room.repo, 'a.txt'), 'one\n');
    const file = join(room.repo, 'a.txt');
    addHook(room, 'pre-file-edit', { decision: 'modify', input: { file_path: file, old_string: 'one', new_string: 'three' } });
    const facts = await runWithPiton(room, { script: talk(tools.edit(file, 'one', 'two'), { text: 'Finished.' }) });
    expect(payloadsOf(room, 'pre-file-edit')).toMatchObject([
      { tool_name: 'Edit', tool_input: { file_path: file, old_string: 'one', new_string: 'two' } },
    ]);
    expect(room.read(file)).toBe('three\n');
    expect(facts.changed).toEqual(['a.txt']);
  });

  test('a patch of several files is one event per file, and one deny stops the patch', async () => {
    const room = newStage();
    room.writeProgram(
      join(room.home, '.config/piton/hooks/pre-file-edit/guard'),
      '#!/bin/sh\ncase "$PITON_TOOL_FILES" in *secret*) echo "TOKEN_SECRET keep out" >&2; exit 2;; esac\n',
    );
    addHook(room, 'pre-file-edit');
    const patch = '*** Begin Patch\n*** Add File: new.txt\n+one\n*** Add File: secret.txt\n+two\n*** End Patch\n';
    const env = { COPILOT_MODEL: 'gpt-5.5', COPILOT_PROVIDER_WIRE_API: 'responses' };
    const script = talk({ calls: [{ name: 'apply_patch', freeform: patch }] }, { text: 'Finished.' });
    const facts = await runWithPiton(room, { script, env });
    expect(facts.appeared).toEqual([]);
    expect(facts.tokens.TOKEN_SECRET).toEqual([1]);
    expect(payloadsOf(room, 'pre-file-edit').map(({ tool_input }) => tool_input.file_path)).toContain(join(room.repo, 'new.txt'));
  });

  test('a command that fails is a failed tool, though it says success', async () => {
    const room = newStage();
    addHook(room, 'post-tool-use');
    addHook(room, 'post-tool-use-failure', { decision: 'replace', content: 'TOKEN_HINT try again' });
    const facts = await runWithPiton(room, { script: talk(tools.shell('echo oops; exit 3'), { text: 'Finished.' }) });
    expect(payloadsOf(room, 'post-tool-use')).toEqual([]);
    expect(payloadsOf(room, 'post-tool-use-failure')).toMatchObject([{ tool_name: 'Bash', error: 'Exit code 3\noops' }]);
    expect(facts.tokens.TOKEN_HINT).toEqual([1]);
  });

  test('a changed row of the to-do table is one changed list', async () => {
    const room = newStage();
    addHook(room, 'todo-update');
    const list = tools.todo?.([{ text: "don't forget", done: false }]) ?? {};
    const read = { calls: [{ name: 'sql', input: { description: 'look', query: 'SELECT title FROM todos' } }] };
    const facts = await runWithPiton(room, { script: talk(list, read, { text: 'Finished.' }) });
    expect(payloadsOf(room, 'todo-update')).toMatchObject([{ tool_name: 'TodoWrite', hook_event_name: 'PostToolUse' }]);
    expect(facts.toolResults[1]?.text).toContain("don't forget");
  });

  test('the task and the end of a subagent are neither prompt nor stop', async () => {
    const room = newStage();
    for (const event of ['user-prompt-submit', 'stop', 'subagent-start']) addHook(room, event);
    addHook(room, 'subagent-stop', { decision: 'continue', reason: 'TOKEN_MORE look again' });
    const facts = await runWithPiton(room, { script: DELEGATE });
    expect(payloadsOf(room, 'user-prompt-submit')).toMatchObject([{ prompt: 'Do the scripted work.' }]);
    expect(payloadsOf(room, 'stop')).toHaveLength(1);
    expect(payloadsOf(room, 'subagent-start')).toHaveLength(1);
    expect(payloadsOf(room, 'subagent-stop')[0]).toMatchObject({ agent_id: expect.any(String), last_assistant_message: 'Listed.' });
    const session = payloadsOf(room, 'stop')[0]?.session_id;
    for (const { session_id } of payloadsOf(room, 'subagent-stop')) expect(session_id).toBe(session);
    expect(facts.tokens.TOKEN_MORE).toBeDefined();
    expect(facts).toMatchObject({ exit: 0, timedOut: false });
  });

  test('a refused stop continues the run, at most eight times', async () => {
    const room = newStage();
    addHook(room, 'stop', { decision: 'continue', reason: 'TOKEN_GO on working' });
    const facts = await runWithPiton(room, { script: talk() });
    expect(facts).toMatchObject({ exit: 0, timedOut: false });
    expect(facts.tokens.TOKEN_GO).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("the project's registration is skipped in a folder that is not trusted, and works in one that is", async () => {
    const deny = { decision: 'deny', reason: 'TOKEN_DENY not now' };
    const untrusted = newStage();
    addHook(untrusted, 'pre-tool-use', deny);
    expect((await runWithPiton(untrusted, { script: SHELL }, [FOR_PROJECT])).appeared).toEqual(['ran.txt']);

    const trusted = newStage();
    addHook(trusted, 'pre-tool-use', deny);
    const facts = await runWithPiton(trusted, { script: SHELL, flags: ['--trust-folder'] }, [FOR_PROJECT]);
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_DENY');
  });
});
