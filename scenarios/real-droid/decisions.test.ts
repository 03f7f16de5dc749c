import { join } from 'node:path';
import { describeReal, droidDriver, type Facts, type Story, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newTestStage, runWithPiton } from '../real-agents/setup.ts';

const { tools } = droidDriver;
const SHELL = talk(tools.shell('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });
const WITH_SUBAGENT = [
  { name: 'main', turns: [tools.subagent?.('SUBTASK: look') ?? {}, { text: 'Finished.' }] },
  { name: 'sub', match: 'SUBTASK', turns: [tools.shell('echo sub | tee sub.txt'), { text: 'Looked.' }] },
];

const newStage = (): Workspace => newTestStage(droidDriver);
const run = (workspace: Workspace, story: Story): Promise<Facts> => runWithPiton(droidDriver, workspace, story);

/** A hook for every project of this user: it keeps what it read, then does its own. */
function addHook(workspace: Workspace, event: string, answer: object | string): void {
  const log = join(workspace.state, `${event}.log`);
  const rest = typeof answer === 'string' ? answer : `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER`;
  workspace.writeProgram(
    join(workspace.home, '.config/piton/hooks', event, 'hook'),
    `#!/bin/sh\n{ tr -d '\\n'; echo; } >> ${log}\n${rest}\n`,
  );
}
const payloadsOf = (workspace: Workspace, event: string) =>
  workspace.readLines(join(workspace.state, `${event}.log`)) as readonly Readonly<Record<string, unknown>>[];

describeReal('droid', 'what is special about it', () => {
  test('a question never lets the tool run: it is a deny that the model reads', async () => {
    const workspace = newStage();
    addHook(workspace, 'pre-tool-use', { decision: 'ask', reason: 'TOKEN_ASK may I?' });
    const facts = await run(workspace, { script: SHELL });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_ASK may I?');
  });

  test('a hook can end the run, and the tool does not run', async () => {
    const workspace = newStage();
    addHook(workspace, 'pre-tool-use', { continue: false, stopReason: 'enough' });
    const facts = await run(workspace, { script: SHELL });
    expect(facts).toMatchObject({ exit: 0, appeared: [] });
    expect(facts.requests).toHaveLength(1);
  });

  test('what a broken hook writes never reaches the model', async () => {
    const workspace = newStage();
    addHook(workspace, 'pre-tool-use', 'echo TOKEN_BROKEN >&2; exit 1');
    const facts = await run(workspace, { script: SHELL });
    expect(payloadsOf(workspace, 'pre-tool-use')).toHaveLength(1);
    expect(facts.appeared).toEqual(['ran.txt']);
    expect(facts.tokens).not.toHaveProperty('TOKEN_BROKEN');
  });

  test('a modified input reaches tools whose fields have other names than the portable ones', async () => {
    const workspace = newStage();
    const file = join(workspace.repo, 'README.md');
    addHook(workspace, 'pre-file-edit', {
      decision: 'modify',
      input: { file_path: file, old_string: '# demo', new_string: '# TOKEN_HOOK' },
    });
    const facts = await run(workspace, { script: talk(tools.edit(file, '# demo', '# model'), { text: 'Finished.' }) });
    expect(payloadsOf(workspace, 'pre-file-edit')[0]).toMatchObject({
      tool_name: 'Edit',
      tool_input: { old_string: '# demo', new_string: '# model' },
    });
    expect(facts.changed).toEqual(['README.md']);
    expect(workspace.read(file)).toBe('# TOKEN_HOOK\n');
  });

  test('a subagent is a session of its own that names its caller, and its task runs no hook on prompts', async () => {
    const workspace = newStage();
    addHook(workspace, 'session-start', { decision: 'observe' });
    addHook(workspace, 'user-prompt-submit', { decision: 'deny', reason: 'no prompts' });
    const facts = await run(workspace, { script: WITH_SUBAGENT });
    const [main, sub] = payloadsOf(workspace, 'session-start');
    expect(main).not.toHaveProperty('calling_session_id');
    expect(sub).toMatchObject({ calling_session_id: main?.session_id });
    expect(sub?.session_id).not.toBe(main?.session_id);
    expect(payloadsOf(workspace, 'user-prompt-submit')).toEqual([]);
    expect(facts.requests.map((request) => request.conversation)).toContain('sub');
  });

  test('an event in hooks.json hides ours of the same name, as readiness says', async () => {
    const workspace = newStage();
    workspace.write(join(workspace.home, '.factory/hooks.json'), { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] });
    addHook(workspace, 'stop', { decision: 'observe' });
    addHook(workspace, 'pre-tool-use', { decision: 'observe' });
    await run(workspace, { script: SHELL });
    expect(payloadsOf(workspace, 'pre-tool-use')).toHaveLength(1);
    expect(payloadsOf(workspace, 'stop')).toEqual([]);
  });
});
