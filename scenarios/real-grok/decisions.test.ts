import { join } from 'node:path';
import { type BedStep, describeReal, type Facts, grokDriver, type Story, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newTestStage, piton, runWithPiton } from '../real-agents/setup.ts';

const { tools } = grokDriver;
const SHELL = talk(tools.shell('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });

const newStage = (): Workspace => newTestStage(grokDriver);
const run = (workspace: Workspace, story: Story): Promise<Facts> => runWithPiton(grokDriver, workspace, story);

/** A hook for every project of this user: it keeps what it read, then says its answer. */
function addHook(workspace: Workspace, event: string, answer: object = {}): void {
  const keep = `{ tr -d '\\n'; echo; } >> ${join(workspace.state, `${event}.log`)}`;
  workspace.writeProgram(
    join(workspace.home, '.config/piton/hooks', event, 'hook'),
    `#!/bin/sh\n${keep}\ncat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`,
  );
}
const payloadsOf = (workspace: Workspace, event: string) =>
  workspace.readLines(join(workspace.state, `${event}.log`)) as readonly Readonly<Record<string, unknown>>[];

const events: BedStep = piton('events', 'list', '--limit', '100', '--json');
const storedIn = (facts: Facts) =>
  JSON.parse(facts.step(events.name).stdout) as { readonly agent: string; readonly event: string; readonly derived: boolean }[];

/** The settings of Claude Code with our registration as one line for a shell, as `piton init` wrote it for its older versions. */
const CLAUDE_BY_LINES: BedStep = {
  name: 'the registration of Claude Code as lines',
  argv: [
    process.execPath,
    '-e',
    `const fs = require('fs'); const file = process.env.HOME + '/.claude/settings.json';
const settings = JSON.parse(fs.readFileSync(file, 'utf8'));
for (const groups of Object.values(settings.hooks)) for (const { hooks } of groups) for (const hook of hooks) {
  if (hook.args) { hook.command = [hook.command, ...hook.args].join(' '); delete hook.args; }
}
fs.writeFileSync(file, JSON.stringify(settings));`,
  ],
};
const FOR_CLAUDE: readonly BedStep[] = [piton('init', '--agent', 'claude', '--yes'), CLAUDE_BY_LINES];

describeReal('grok', 'what is special about it', () => {
  test('a question never lets the tool run where everything is approved', async () => {
    const workspace = newStage();
    addHook(workspace, 'pre-tool-use', { decision: 'ask', reason: 'TOKEN_ASK may I?' });
    const facts = await run(workspace, { script: SHELL });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_ASK may I?');
  });

  test('context of the start waits for a tool, and outlives one that is denied', async () => {
    const workspace = newStage();
    addHook(workspace, 'session-start', { decision: 'replace', content: 'TOKEN_START' });
    workspace.writeProgram(
      join(workspace.home, '.config/piton/hooks/pre-shell-execution/hook'),
      `#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *first*) echo 'TOKEN_NO' >&2; exit 2;; esac\n`,
    );
    const facts = await run(workspace, { script: talk(tools.shell('echo first'), tools.shell('echo second'), { text: 'Finished.' }) });
    expect(facts.tokens.TOKEN_NO?.[0]).toBeLessThan(facts.tokens.TOKEN_START?.[0] ?? 0);
  });

  test('a subagent is a session of its own, and its task runs no hook on prompts', async () => {
    const workspace = newStage();
    addHook(workspace, 'user-prompt-submit');
    addHook(workspace, 'pre-shell-execution');
    const script = [
      { name: 'main', turns: [tools.subagent?.('SUBTASK: look') ?? {}, { text: 'Finished.' }] },
      { name: 'sub', match: 'SUBTASK', turns: [tools.shell('echo sub | tee sub.txt'), { text: 'Looked.' }] },
    ];
    const facts = await run(workspace, { script });
    expect(facts.appeared).toEqual(['sub.txt']);
    const [prompt, ...more] = payloadsOf(workspace, 'user-prompt-submit');
    expect(more).toEqual([]);
    const [call] = payloadsOf(workspace, 'pre-shell-execution');
    expect(call).toMatchObject({ agent_type: 'general-purpose' });
    expect(call?.session_id).not.toBe(prompt?.session_id);
  });
});

describeReal('grok', 'through the settings of Claude Code, which it runs too', () => {
  test('it is who it is: a deny holds, and the model reads why', async () => {
    const workspace = newStage();
    addHook(workspace, 'pre-shell-execution', { decision: 'deny', reason: 'TOKEN_DENY not here' });
    const [init, lines] = FOR_CLAUDE as [BedStep, BedStep];
    const withoutOwn: BedStep = { name: 'without its own file', argv: ['rm', join(workspace.home, '.grok/hooks/piton.json')] };
    const facts = await run(workspace, { script: SHELL, before: [withoutOwn, init, lines], after: [events] });
    expect(workspace.read(join(workspace.home, '.grok/hooks/piton.json'))).toBeUndefined();
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_DENY');
    expect(new Set(storedIn(facts).map(({ agent }) => agent))).toEqual(new Set(['grok']));
  });

  test.each([
    ['as init writes it', FOR_CLAUDE.slice(0, 1)],
    ['as lines for a shell', FOR_CLAUDE],
  ])('with its own registration beside it a hook runs once for each event: %s', async (_name, before) => {
    const workspace = newStage();
    for (const event of ['session-start', 'user-prompt-submit', 'pre-tool-use', 'post-tool-use', 'stop']) addHook(workspace, event);
    const facts = await run(workspace, { script: SHELL, before, after: [events] });
    expect(facts.appeared).toEqual(['ran.txt']);
    for (const event of ['session-start', 'user-prompt-submit', 'pre-tool-use', 'post-tool-use', 'stop'])
      expect([event, payloadsOf(workspace, event).length]).toEqual([event, 1]);
    const stored = storedIn(facts).filter(({ derived }) => !derived);
    expect(new Set(stored.map(({ agent }) => agent))).toEqual(new Set(['grok']));
    expect(stored.filter(({ event }) => event === 'pre_tool_use')).toHaveLength(1);
  });
});
