import { join } from 'node:path';
import {
  addClaudeHooks,
  bash,
  broadSession,
  claudeDriver,
  createWorkspace,
  describeReal,
  recordClaude,
  recorded,
  runAgent,
  talk,
  type Workspace,
  writeRecording,
} from '@piton/testing';
import { expect, onTestFinished, test } from 'vitest';

// What the bed says about Claude Code alone. If one of these fails, the other scenarios say nothing about Piton.

function newRoom(): Workspace {
  const workspace = createWorkspace();
  onTestFinished(() => workspace.remove());
  claudeDriver.prepare(workspace);
  return workspace;
}

function addHook(workspace: Workspace, event: string, answer: unknown): void {
  const path = join(workspace.state, `hook-${event}`);
  workspace.writeProgram(path, `#!/bin/sh\ncat > /dev/null\ncat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`);
  addClaudeHooks(workspace, { [event]: [{ type: 'command', command: path, args: [] }] });
}

const specific = (hookEventName: string, rest: object) => ({ hookSpecificOutput: { hookEventName, ...rest } });
const SESSION = talk(bash('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });

describeReal('claude', 'the bed itself, with no Piton in it', () => {
  test('without a hook the command runs and the model reads its output', async () => {
    const facts = await runAgent(claudeDriver, newRoom(), { script: SESSION });
    expect(facts).toMatchObject({ exit: 0, timedOut: false, appeared: ['ran.txt'] });
    expect(facts.stdout).toContain('Finished.');
    expect(facts.toolResults).toHaveLength(1);
    expect(facts.toolResults[0]).toMatchObject({ failed: false, text: expect.stringContaining('TOKEN_OUTPUT') });
    expect(facts.requests.filter((request) => request.protocol === null)).toEqual([]);
  });

  test('a native deny stops the command and its reason reaches the model', async () => {
    const workspace = newRoom();
    addHook(
      workspace,
      'PreToolUse',
      specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'TOKEN_DENY not here' }),
    );
    const facts = await runAgent(claudeDriver, workspace, { script: SESSION });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_DENY') });
    expect(facts.tokens.TOKEN_DENY).toBeDefined();
  });

  test('native context at session start and prompt reaches the model', async () => {
    const workspace = newRoom();
    addHook(workspace, 'SessionStart', specific('SessionStart', { additionalContext: 'TOKEN_START' }));
    addHook(workspace, 'UserPromptSubmit', specific('UserPromptSubmit', { additionalContext: 'TOKEN_PROMPT' }));
    const facts = await runAgent(claudeDriver, workspace, { script: SESSION });
    expect(facts.tokens).toMatchObject({ TOKEN_START: expect.arrayContaining([0]), TOKEN_PROMPT: expect.arrayContaining([0]) });
  });

  test('a recording hook receives all events of the session in order', async () => {
    const workspace = newRoom();
    recordClaude(workspace, [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'SubagentStart',
      'SubagentStop',
      'Stop',
      'SessionEnd',
    ]);
    const facts = await runAgent(claudeDriver, workspace, { script: broadSession(workspace) });
    expect(facts.appeared).toEqual(['a.txt', 'shell-ran.txt']);
    const heard = recorded(workspace).map(({ event, payload }) => (payload.tool_name ? `${event} ${payload.tool_name}` : event));
    expect(heard).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      ...['Bash', 'Write', 'Edit', 'Read'].flatMap((name) => [`PreToolUse ${name}`, `PostToolUse ${name}`]),
      ...['Bash', 'Read'].flatMap((name) => [`PreToolUse ${name}`, `PostToolUseFailure ${name}`]),
      'PreToolUse Agent',
      'SubagentStart',
      'PreToolUse Bash',
      'PostToolUse Bash',
      'SubagentStop',
      'PostToolUse Agent',
      'Stop',
      'SessionEnd',
    ]);
    // `PITON_RECORD_TO=<folder>` turns this run into fixtures.
    if (process.env.PITON_RECORD_TO) writeRecording(workspace, process.env.PITON_RECORD_TO);
  });
});
