import { describeReal, kiloDriver, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { newTestStage } from '../real-agents/setup.ts';
import { addHook, payloadsOf, runInProject, storedEvents, watched } from '../real-plugins/setup.ts';

const { tools } = kiloDriver;

describeReal('kilo', 'what is special about it', () => {
  test('each event is stored once, a subagent’s in its parent session, and only the first starts a process', async () => {
    const { facts, events, started } = await watched(kiloDriver);
    expect(facts).toMatchObject({ exit: 0, appeared: ['a.txt', 'shell-ran.txt'] });
    expect(started).toEqual(['session.created']); // no server was there yet
    expect(new Set(events.map(({ session }) => session)).size).toBe(1);
    expect(events.filter(({ native }) => native === 'tool.execute.before')).toHaveLength(9 + 1);
    expect(events.filter(({ event }) => event === 'user_prompt_submit')).toHaveLength(1);
    const subagent = events.filter(({ agent }) => agent !== null).map(({ event }) => event);
    expect(subagent).toEqual(['subagent_start', 'pre_tool_use', 'post_tool_use', 'subagent_stop']);
    expect(events.map(({ event }) => event).slice(-2)).toEqual(['stop', 'session_end']);
  });

  test('a repository’s plugin that is loaded twice reports each event once', async () => {
    const room = newTestStage(kiloDriver);
    addHook(room, 'pre-shell-execution', { decision: 'deny', reason: 'TOKEN_DENY not here' });
    const facts = await runInProject(kiloDriver, room, { script: talk(tools.shell('echo hi > ran.txt'), { text: 'Finished.' }) });
    expect(facts.appeared).not.toContain('ran.txt'); // beside a .gitignore of its own
    expect(facts.toolResults[0]?.text).toContain('TOKEN_DENY not here');
    expect(payloadsOf(room, 'pre-shell-execution')).toHaveLength(1);
    expect(storedEvents(room).map(({ event }) => event)).toEqual([
      'session_start',
      'user_prompt_submit',
      'pre_tool_use',
      'stop',
      'session_end',
    ]);
  });
});
