import { join } from 'node:path';
import { describeReal, opencodeDriver, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { endServer } from '../real-agents/recorder.ts';
import { newTestStage, runWithPiton } from '../real-agents/setup.ts';
import { addHook, payloadsOf, runInProject, storedEvents, watched } from '../real-plugins/setup.ts';

const { tools } = opencodeDriver;
const SHELL = talk(tools.shell('echo hi > ran.txt'), { text: 'Finished.' });

function changeConfig(workspace: Workspace, more: object): void {
  const path = join(workspace.home, '.config', 'opencode', 'opencode.json');
  workspace.write(path, { ...(JSON.parse(workspace.read(path) ?? '{}') as object), ...more });
}

describeReal('opencode', 'what is special about it', () => {
  test('each event is stored once, a subagent’s in its parent session, and only the first starts a process', async () => {
    const { facts, events, started } = await watched(opencodeDriver);
    expect(facts).toMatchObject({ exit: 0, appeared: ['a.txt', 'shell-ran.txt'] });
    expect(started).toEqual(['session.created']); // no server was there yet
    expect(new Set(events.map(({ session }) => session)).size).toBe(1);
    const count = (native: string): number => events.filter((event) => event.native === native).length;
    const calls = 9 + 1; // one by the subagent
    expect(count('tool.execute.before')).toBe(calls);
    expect(count('tool.execute.after')).toBe(calls - 1);
    expect(events.filter(({ event }) => event === 'post_tool_use_failure').map(({ native }) => native)).toEqual([
      'message.part.updated', // a file that is not there
      'tool.execute.after', // a command that ended with an error
    ]);
    // Neither the title nor what the subagent is told to do is a prompt.
    expect(events.filter(({ event }) => event === 'user_prompt_submit')).toHaveLength(1);
    const subagent = events.filter(({ agent }) => agent !== null).map(({ event }) => event);
    expect(subagent).toEqual(['subagent_start', 'pre_tool_use', 'post_tool_use', 'subagent_stop']);
    expect(events.map(({ event }) => event).slice(-2)).toEqual(['stop', 'session_end']);
  });

  test('a permission that it asks for and refuses by itself is reported', async () => {
    const workspace = newTestStage(opencodeDriver);
    changeConfig(workspace, { permission: { bash: 'ask' } });
    addHook(workspace, 'permission-request', {});
    const facts = await runWithPiton(opencodeDriver, workspace, { script: SHELL, after: [endServer] });
    expect(facts.appeared).toEqual([]);
    const events = storedEvents(workspace).map(({ event }) => event);
    expect(events).toContain('permission_request');
    expect(events).toContain('permission_denied');
    expect(payloadsOf(workspace, 'permission-request')).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'echo hi > ran.txt' } },
    ]);
  });

  test('the registration of a repository works like that of the person', async () => {
    const workspace = newTestStage(opencodeDriver);
    addHook(workspace, 'pre-shell-execution', { decision: 'deny', reason: 'TOKEN_DENY not here' });
    const facts = await runInProject(opencodeDriver, workspace, { script: SHELL });
    expect(facts.appeared).not.toContain('ran.txt'); // beside a .gitignore of its own
    expect(facts.toolResults[0]?.text).toContain('TOKEN_DENY not here');
    expect(payloadsOf(workspace, 'pre-shell-execution')).toHaveLength(1);
  });
});
