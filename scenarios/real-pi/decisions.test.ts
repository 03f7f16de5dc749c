import { join } from 'node:path';
import { type BedStep, describeReal, piDriver, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newTestStage, shell } from '../real-agents/setup.ts';
import { addHook, payloadsOf, runInProject, watched } from '../real-plugins/setup.ts';

const { tools } = piDriver;
const SHELL = talk(tools.shell('echo hi > ran.txt'), { text: 'Finished.' });

/** What a person says with /trust. */
const trusted = (workspace: Workspace): BedStep => {
  const text = JSON.stringify({ [workspace.repo]: true });
  return shell('trust the project', `echo '${text}' > '${join(workspace.home, '.pi', 'agent', 'trust.json')}'`);
};

describeReal('pi', 'what is special about it', () => {
  test('each event is stored once, and only the first starts a process', async () => {
    const { facts, events, started } = await watched(piDriver);
    expect(facts).toMatchObject({ exit: 0, appeared: ['a.txt', 'shell-ran.txt'] });
    expect(started).toEqual(['session_start']); // no server was there yet
    const tool = (...after: string[]) => after.flatMap((event) => ['pre_tool_use', event]);
    expect(events.map(({ event }) => event)).toEqual([
      'session_start',
      'user_prompt_submit',
      ...tool('post_tool_use', 'post_tool_use', 'post_tool_use', 'post_tool_use', 'post_tool_use_failure', 'post_tool_use_failure'),
      'stop',
      'session_end',
    ]);
  });

  test('extensions of a repository run only where pi trusts it', async () => {
    const deny = { decision: 'deny', reason: 'TOKEN_DENY not here' };
    const strange = newTestStage(piDriver);
    addHook(strange, 'pre-shell-execution', deny);
    const free = await runInProject(piDriver, strange, { script: SHELL });
    expect(free.appeared).toEqual(['ran.txt']);
    expect(payloadsOf(strange, 'pre-shell-execution')).toEqual([]);

    const known = newTestStage(piDriver);
    addHook(known, 'pre-shell-execution', deny);
    const bound = await runInProject(piDriver, known, { script: SHELL }, trusted(known));
    expect(bound.appeared).toEqual([]);
    expect(bound.toolResults[0]?.text).toContain('TOKEN_DENY not here');
  });
});
