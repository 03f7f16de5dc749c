import { join } from 'node:path';
import { findAgent } from '@piton/agents';
import { commitAll, describeReal, type Facts, geminiDriver, type Room, type Story, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-setup.ts';
import { addUserHook, runsOf, saying, shell, stateOf } from '../real-claude/setup.ts';

const { tools } = geminiDriver;
const SESSION = talk(tools.shell('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });
const stage = () => newStage(geminiDriver);
const run = (room: Room, story: Partial<Story> = {}): Promise<Facts> => runWithPiton(geminiDriver, room, { script: SESSION, ...story });

describeReal('gemini', 'its traps under Piton', () => {
  test('a question does not hang a headless run: it is a deny, and the model reads why', async () => {
    const room = stage();
    addUserHook(room, 'pre-tool-use', saying(room, 'ask', { decision: 'ask', reason: 'TOKEN_ASK may I?' }));
    const facts = await run(room);
    expect(facts).toMatchObject({ exit: 0, timedOut: false, appeared: [] });
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_ASK may I?') });
  });

  test('nor does it on a terminal', async () => {
    const room = stage();
    addUserHook(room, 'pre-tool-use', saying(room, 'ask', { decision: 'ask', reason: 'TOKEN_ASK may I?' }));
    const facts = await run(room, { terminal: true });
    expect(facts).toMatchObject({ timedOut: false, appeared: [] });
    expect(facts.tokens.TOKEN_ASK).toBeDefined();
  });

  test('a stop that is always refused ends after eight times, though each refusal comes back as a prompt', async () => {
    const room = stage();
    addUserHook(room, 'stop', saying(room, 'stop', { decision: 'continue', reason: 'TOKEN_GO on working' }));
    addUserHook(room, 'user-prompt-submit', saying(room, 'prompt', ''));
    // Each answer differs, or Gemini CLI itself ends the talk as a loop.
    const turns = Array.from({ length: 30 }, (_, i) => ({ text: `Answer number ${i} about something else: ${'abc'.repeat(i)}` }));
    const facts = await run(room, { script: talk(...turns) });
    expect(facts).toMatchObject({ exit: 0, timedOut: false });
    expect(runsOf(room, 'stop')).toBe(9);
    expect(facts.requests).toHaveLength(9);
    expect(runsOf(room, 'prompt')).toBeGreaterThan(1);
  });

  test('a failed tool reaches the hooks for failures, though its event is the ordinary one', async () => {
    const room = stage();
    addUserHook(room, 'post-tool-use-failure', saying(room, 'failed', { decision: 'replace', content: 'TOKEN_FAILED look again' }));
    addUserHook(room, 'post-tool-use', saying(room, 'succeeded', ''));
    const script = talk(tools.shell('exit 3'), tools.read?.(join(room.repo, 'missing.txt')) ?? {}, tools.shell('true'), {
      text: 'Finished.',
    });
    const facts = await run(room, { script });
    expect([runsOf(room, 'failed'), runsOf(room, 'succeeded')]).toEqual([2, 1]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_FAILED');
    expect(facts.toolResults[2]?.text).not.toContain('TOKEN_FAILED');
  });

  test('a deny after a tool is read beside the result, which stays', async () => {
    const room = stage();
    addUserHook(room, 'post-tool-use', saying(room, 'post', { decision: 'deny', reason: 'TOKEN_POST mind the gap' }));
    const facts = await run(room);
    expect(facts.toolResults[0]).toMatchObject({
      failed: false,
      text: expect.stringMatching(/TOKEN_OUTPUT[\s\S]*TOKEN_POST mind the gap/),
    });
  });

  test('an ended run runs nothing and asks the model no more', async () => {
    const room = stage();
    addUserHook(room, 'pre-tool-use', saying(room, 'end', { continue: false, stopReason: 'TOKEN_END' }));
    const facts = await run(room);
    expect(facts.appeared).toEqual([]);
    expect(facts.requests).toHaveLength(1);
  });

  test('when Piton is gone without a word its lines deny nothing', async () => {
    const room = stage();
    const facts = await run(room, { before: [shell('take the program away', `rm ${stateOf(room)}/runtime/current/piton-forward`)] });
    expect(facts).toMatchObject({ exit: 0, appeared: ['ran.txt'] });
    expect(facts.toolResults[0]).toMatchObject({ failed: false });
  });

  test('in a folder that nobody trusted nothing runs, as its readiness says, and after its remedy everything does', async () => {
    const folders = (room: Room) => join(room.home, '.gemini', 'trustedFolders.json');
    const judge = (room: Room) =>
      findAgent('gemini')?.readiness?.judge({
        scope: 'user',
        home: room.home,
        project: room.repo,
        env: {},
        texts: { '.gemini/trustedFolders.json': room.read(folders(room)) ?? null },
        probed: null,
        installed: [],
      });
    const room = stage();
    addUserHook(room, 'session-start', saying(room, 'start', ''));
    room.write(folders(room), {});
    const verdict = judge(room);
    const untrusted = await run(room);
    expect(untrusted).toMatchObject({ exit: 55, appeared: [], requests: [] });
    expect(runsOf(room, 'start')).toBe(0);

    if (!verdict || verdict.runs || !verdict.consent) throw new Error('no way to trust the folder');
    const edited = verdict.consent.edit(room.read(folders(room)) ?? null);
    room.write(folders(room), edited.ok ? (edited.edit.text ?? '') : '');
    commitAll(room, 'Trusted');
    expect(judge(room)).toEqual({ runs: true });
    expect(await run(room)).toMatchObject({ exit: 0, appeared: ['ran.txt'] });
    expect(runsOf(room, 'start')).toBe(1);
  });
});
