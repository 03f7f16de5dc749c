import { join } from 'node:path';
import { DRIVERS, describeReal, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { configOf, newTestStage, piton, runWithPiton } from '../real-agents/setup.ts';

const QUESTION = 'Which store?';
const PLAN = 'Keep it in SQLite, then test it.';
const input = {
  questions: [
    {
      question: QUESTION,
      header: 'Store',
      multiSelect: false,
      options: ['SQLite', 'Files'].map((label) => ({ label, description: label })),
    },
  ],
};

/** Headless, Claude Code asks nobody: a hook answers for the person, which is how the SDKs do it. */
const ANSWER = `#!/usr/bin/env node
let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const { tool_name, tool_input } = JSON.parse(text);
  if (tool_name !== 'AskUserQuestion' && tool_name !== 'ExitPlanMode') return;
  const given = tool_name === 'AskUserQuestion' ? { ...tool_input, answers: { ${JSON.stringify(QUESTION)}: 'SQLite' } } : tool_input;
  process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: given } }));
});
`;

const claude = DRIVERS.find(({ pinned }) => pinned.id === 'claude');
if (claude === undefined) throw new Error('no driver of Claude Code');

describeReal('claude', 'what the person chose', () => {
  test('an answered question and an accepted plan are in the ledger and in the handoff', async () => {
    const workspace = newTestStage(claude);
    const hook = join(workspace.state, 'answer.js');
    workspace.writeProgram(hook, ANSWER);
    workspace.write(join(configOf(workspace), 'settings.json'), {
      hooks: [{ name: 'answer', event: 'pre_tool_use', command: `${process.execPath} ${hook}` }],
    });
    const ledger = piton('sessions', 'ledger', '@', '--json');
    const facts = await runWithPiton(claude, workspace, {
      flags: ['--permission-mode', 'plan', '--permission-prompt-tool', 'mcp__mock__echo'],
      script: talk(
        { calls: [{ name: 'AskUserQuestion', input }] },
        // Claude Code names the file of the plan when it begins to plan.
        { calls: [{ name: 'Write', input: { content: PLAN }, found: { file_path: '(/[^\\s`]+/plans/[^\\s`]+\\.md)' } }] },
        { calls: [{ name: 'ExitPlanMode', input: {} }] },
        { text: 'Finished.' },
      ),
      after: [ledger],
    });
    const rows = (JSON.parse(facts.step(ledger.name).stdout) as { ledger: { kind: string }[] }).ledger;
    expect(rows.filter(({ kind }) => kind === 'choice').reverse()).toMatchObject([
      { question: QUESTION, answer: 'SQLite' },
      { question: 'plan', answer: PLAN },
    ]);
  });
});
