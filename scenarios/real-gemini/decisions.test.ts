import { join } from 'node:path';
import { findAgent } from '@piton/agents';
import { commitAll, describeReal, type Facts, geminiDriver, type Story, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-setup.ts';
import { addUserHook, runsOf, saying, shell, stateOf } from '../real-claude/setup.ts';

const { tools } = geminiDriver;
const SESSION = talk(tools.shell('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });
const stage = () => newStage(geminiDriver);
const run = (workspace: Workspace, story: Partial<Story> = {}): Promise<Facts> =>
  runWithPiton(geminiDriver, workspace, { script: SESSION, ...story });

describeReal('gemini', 'its traps under Piton', () => {
  test('a question does not hang a headless run: it is a deny, and the model reads why', async () => {
    const workspace = stage();
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'ask', { decision: 'ask', reason: 'TOKEN_ASK may I?' }));
    const facts = await run(workspace);
    expect(facts).toMatchObject({ exit: 0, timedOut: false, appeared: [] });
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_ASK may I?') });
  });

  test('nor does it on a terminal', async () => {
    const workspace = stage();
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'ask', { decision: 'ask', reason: 'TOKEN_ASK may I?' }));
    const facts = await run(workspace, { terminal: true });
    expect(facts).toMatchObject({ timedOut: false, appeared: [] });
    expect(facts.tokens.TOKEN_ASK).toBeDefined();
  });

  test('a stop that is always refused ends after eight times, though each refusal comes back as a prompt', async () => {
    const workspace = stage();
    addUserHook(workspace, 'stop', saying(workspace, 'stop', { decision: 'continue', reason: 'TOKEN_GO on working' }));
    addUserHook(workspace, 'user-prompt-submit', saying(workspace, 'prompt', ''));
    // Each answer differs, or Gemini CLI itself ends the talk as a loop.
    const turns = Array.from({ length: 30 }, (_, i) => ({ text: `Answer number ${i} about something else: ${'abc'.repeat(i)}` }));
    const facts = await run(workspace, { script: talk(...turns) });
    expect(facts).toMatchObject({ exit: 0, timedOut: false });
    expect(runsOf(workspace, 'stop')).toBe(9);
    expect(facts.requests).toHaveLength(9);
    expect(runsOf(workspace, 'prompt')).toBeGreaterThan(1);
  });

  test('a failed tool runs post_tool_use_failure hooks, though its event is the ordinary one', async () => {
    const workspace = stage();
    addUserHook(
      workspace,
      'post-tool-use-failure',
      saying(workspace, 'failed', { decision: 'replace', content: 'TOKEN_FAILED look again' }),
    );
    addUserHook(workspace, 'post-tool-use', saying(workspace, 'succeeded', ''));
    const script = talk(tools.shell('exit 3'), tools.read?.(join(workspace.repo, 'missing.txt')) ?? {}, tools.shell('true'), {
      text: 'Finished.',
    });
    const facts = await run(workspace, { script });
    expect([runsOf(workspace, 'failed'), runsOf(workspace, 'succeeded')]).toEqual([2, 1]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_FAILED');
    expect(facts.toolResults[2]?.text).not.toContain('TOKEN_FAILED');
  });

  test('a deny after a tool is read beside the result, which stays', async () => {
    const workspace = stage();
    addUserHook(workspace, 'post-tool-use', saying(workspace, 'post', { decision: 'deny', reason: 'TOKEN_POST mind the gap' }));
    const facts = await run(workspace);
    expect(facts.toolResults[0]).toMatchObject({
      failed: false,
      text: expect.stringMatching(/TOKEN_OUTPUT[\s\S]*TOKEN_POST mind the gap/),
    });
  });

  test('an ended run runs nothing and asks the model no more', async () => {
    const workspace = stage();
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'end', { continue: false, stopReason: 'TOKEN_END' }));
    const facts = await run(workspace);
    expect(facts.appeared).toEqual([]);
    expect(facts.requests).toHaveLength(1);
  });

  test('registrations deny nothing after Piton was deleted without uninstall', async () => {
    const workspace = stage();
    const facts = await run(workspace, {
      before: [shell('take the program away', `rm ${stateOf(workspace)}/runtime/current/piton-forward`)],
    });
    expect(facts).toMatchObject({ exit: 0, appeared: ['ran.txt'] });
    expect(facts.toolResults[0]).toMatchObject({ failed: false });
  });

  test('in a folder that nobody trusted nothing runs, as its readiness says, and after its remedy everything does', async () => {
    const folders = (workspace: Workspace) => join(workspace.home, '.gemini', 'trustedFolders.json');
    const judge = (workspace: Workspace) =>
      findAgent('gemini')?.readiness?.judge({
        scope: 'user',
        home: workspace.home,
        project: workspace.repo,
        env: {},
        texts: { '.gemini/trustedFolders.json': workspace.read(folders(workspace)) ?? null },
        probed: null,
        installed: [],
      });
    const workspace = stage();
    addUserHook(workspace, 'session-start', saying(workspace, 'start', ''));
    workspace.write(folders(workspace), {});
    const verdict = judge(workspace);
    const untrusted = await run(workspace);
    expect(untrusted).toMatchObject({ exit: 55, appeared: [], requests: [] });
    expect(runsOf(workspace, 'start')).toBe(0);

    if (!verdict || verdict.runs || !verdict.consent) throw new Error('no way to trust the folder');
    const edited = verdict.consent.edit(workspace.read(folders(workspace)) ?? null);
    workspace.write(folders(workspace), edited.ok ? (edited.edit.text ?? '') : '');
    commitAll(workspace, 'Trusted');
    expect(judge(workspace)).toEqual({ runs: true });
    expect(await run(workspace)).toMatchObject({ exit: 0, appeared: ['ran.txt'] });
    expect(runsOf(workspace, 'start')).toBe(1);
  });
});
