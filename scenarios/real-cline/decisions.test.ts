import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clineDriver, describeReal, type Facts, type ModelTurn, type Story, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-setup.ts';
import { addUserHook, piton, runsOf, saying } from '../real-claude/setup.ts';

const { tools } = clineDriver;
const SESSION = talk(tools.shell('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });
const stage = () => newStage(clineDriver);
const run = (workspace: Workspace, story: Partial<Story> = {}): Promise<Facts> =>
  runWithPiton(clineDriver, workspace, { script: SESSION, ...story });
const mcp = (text: string): ModelTurn => tools.mcp?.(text) ?? {};

describeReal('cline', 'its traps under Piton', () => {
  test('a denied command does not run, the model reads why, and the run goes on', async () => {
    const workspace = stage();
    addUserHook(workspace, 'pre-shell-execution', '#!/bin/sh\ncat > /dev/null\necho TOKEN_EXIT2 no shell here >&2\nexit 2\n');
    const facts = await run(workspace);
    expect(facts).toMatchObject({ exit: 0, timedOut: false, appeared: [] });
    expect(facts.tokens.TOKEN_EXIT2).toEqual([1]);
    expect(facts.stdout).toContain('Finished.');
  });

  test('where nothing can stand in for the denied call the run ends, and the tool has not run', async () => {
    const workspace = stage();
    addUserHook(workspace, 'pre-mcp-execution', saying(workspace, 'deny', { decision: 'deny', reason: 'TOKEN_DENY not there' }));
    const facts = await run(workspace, { script: talk(mcp('hello'), { text: 'Finished.' }) });
    expect(facts).toMatchObject({ timedOut: false, toolResults: [] });
    expect(facts.requests).toHaveLength(1);
    expect(facts.tokens.TOKEN_DENY).toBeUndefined();
  });

  test('context of the start of a session reaches the model with its first tool call', async () => {
    const workspace = stage();
    addUserHook(workspace, 'session-start', saying(workspace, 'start', { decision: 'replace', content: 'TOKEN_START read the map first' }));
    const facts = await run(workspace, { script: talk(tools.shell('sleep 1'), tools.shell('true'), { text: 'Finished.' }) });
    expect(runsOf(workspace, 'start')).toBe(1);
    expect(facts.tokens.TOKEN_START?.[0]).toBe(1);
  });

  test('a hook of the user runs beside ours', async () => {
    const workspace = stage();
    workspace.writeProgram(
      join(workspace.home, '.cline/hooks/PreToolUse'),
      '#!/bin/sh\ncat > /dev/null\necho \'{"contextModification":"TOKEN_MINE"}\'\n',
    );
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'context', { decision: 'replace', content: 'TOKEN_OURS' }));
    const facts = await run(workspace, { after: [piton('uninstall', '--yes')] });
    expect(facts.tokens).toMatchObject({ TOKEN_MINE: [1], TOKEN_OURS: [1] });
    expect(existsSync(join(workspace.home, '.cline/hooks/PreToolUse'))).toBe(true);
    expect(existsSync(join(workspace.home, '.cline/hooks/PreToolUse.sh'))).toBe(false);
  });

  test('a failed tool runs post_tool_use_failure hooks, though Cline reports success', async () => {
    const workspace = stage();
    addUserHook(
      workspace,
      'post-tool-use-failure',
      saying(workspace, 'failed', { decision: 'replace', content: 'TOKEN_FAILED look again' }),
    );
    addUserHook(workspace, 'post-tool-use', saying(workspace, 'succeeded', ''));
    const facts = await run(workspace, { script: talk(tools.shell('exit 3'), tools.shell('true'), { text: 'Finished.' }) });
    expect([runsOf(workspace, 'failed'), runsOf(workspace, 'succeeded')]).toEqual([1, 1]);
    expect(facts.tokens.TOKEN_FAILED?.[0]).toBe(1);
  });

  test('a subagent is no second session', async () => {
    const workspace = stage();
    for (const event of ['session-start', 'subagent-start', 'subagent-stop', 'stop'])
      addUserHook(workspace, event, saying(workspace, event, ''));
    const main = { name: 'main', turns: [tools.subagent?.('SUBTASK: list files') ?? {}, { text: 'Finished.' }] };
    // The files of these events run detached: give the last one its time.
    const settled = { name: 'settle', argv: ['sleep', '3'] as const };
    await run(workspace, { script: [main, { name: 'sub', match: 'SUBTASK', turns: [{ text: 'Listed.' }] }], after: [settled] });
    const runs = ['session-start', 'subagent-start', 'subagent-stop', 'stop'].map((event) => runsOf(workspace, event));
    expect(runs).toEqual([1, 1, 1, 1]);
  });
});
