import { bash, describeReal, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { addProjectHook, addUserHook, newStage, piton, runsOf, runWithPiton, saying } from './setup.ts';

const SESSION = talk(bash('echo TOKEN_OUTPUT | tee ran.txt'), { text: 'Finished.' });

describeReal('claude', 'what a hook decides under Piton', () => {
  test('a deny stops the command, and the model reads why', async () => {
    const room = newStage();
    addUserHook(room, 'pre-shell-execution', saying(room, 'guard', { decision: 'deny', reason: 'TOKEN_DENY use the other tool' }));
    const facts = await runWithPiton(room, { script: SESSION });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults).toHaveLength(1);
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_DENY use the other tool') });
    expect(facts.tokens.TOKEN_OUTPUT).toEqual([1]); // only in its own call, never as output
    expect(facts.toolResults[0]?.text).not.toContain('TOKEN_OUTPUT');
    expect(facts).toMatchObject({ exit: 0, stderr: '' });
    expect(runsOf(room, 'guard')).toBe(1);
  });

  test('exit 2 denies as in Claude Code, and the model reads what it printed to stderr', async () => {
    const room = newStage();
    addUserHook(room, 'pre_tool_use', '#!/bin/sh\ncat > /dev/null\necho TOKEN_EXIT2 no shell here >&2\nexit 2\n');
    const facts = await runWithPiton(room, { script: SESSION });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_EXIT2 no shell here') });
  });

  test('context at session start and at the prompt reaches the model with the first request', async () => {
    const room = newStage();
    addUserHook(room, 'session-start', saying(room, 'start', { decision: 'replace', content: 'TOKEN_START read the map first' }));
    addUserHook(room, 'user-prompt-submit', saying(room, 'prompt', 'TOKEN_PROMPT as plain text'));
    const facts = await runWithPiton(room, { script: SESSION });
    expect(facts.tokens.TOKEN_START?.[0]).toBe(0);
    expect(facts.tokens.TOKEN_PROMPT?.[0]).toBe(0);
    expect(facts.appeared).toEqual(['ran.txt']);
  });

  test('a rewritten input is what runs', async () => {
    const room = newStage();
    addUserHook(
      room,
      'pre-tool-use',
      saying(room, 'modify', { decision: 'modify', input: { command: 'echo TOKEN_REWRITTEN | tee rewritten.txt', description: 'run' } }),
    );
    const facts = await runWithPiton(room, { script: SESSION });
    expect(facts.appeared).toEqual(['rewritten.txt']);
    expect(facts.toolResults[0]).toMatchObject({ failed: false, text: expect.stringContaining('TOKEN_REWRITTEN') });
  });

  test('a rewritten output is what the model reads', async () => {
    const room = newStage();
    addUserHook(room, 'post-tool-use', saying(room, 'rewrite', { decision: 'rewrite', output: 'TOKEN_NEW output' }));
    const facts = await runWithPiton(room, { script: SESSION });
    expect(facts.appeared).toEqual(['ran.txt']);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_NEW output');
    expect(facts.toolResults[0]?.text).not.toContain('TOKEN_OUTPUT');
  });

  test('a question that nobody can answer is a deny', async () => {
    const room = newStage();
    addUserHook(room, 'pre-tool-use', saying(room, 'ask', { decision: 'ask', reason: 'TOKEN_ASK may I?' }));
    const facts = await runWithPiton(room, { script: SESSION });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_ASK may I?') });
  });

  test('a refused stop continues the run, at most eight times', async () => {
    const room = newStage();
    addUserHook(room, 'stop', saying(room, 'stop', { decision: 'continue', reason: 'TOKEN_GO on working' }));
    const facts = await runWithPiton(room, { script: talk(), env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' } });
    expect(facts).toMatchObject({ exit: 0, timedOut: false });
    expect(facts.requests).toHaveLength(1 + 8);
    expect(facts.tokens.TOKEN_GO).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("a project's hook does nothing before it is trusted and denies after", async () => {
    const denies = { decision: 'deny', reason: 'TOKEN_PROJECT not in this project' };
    const untrusted = newStage();
    addProjectHook(untrusted, 'pre-tool-use', saying(untrusted, 'project', denies));
    const free = await runWithPiton(untrusted, { script: SESSION });
    expect(free.appeared).toEqual(['ran.txt']);
    expect(runsOf(untrusted, 'project')).toBe(0);

    const trusted = newStage();
    addProjectHook(trusted, 'pre-tool-use', saying(trusted, 'project', denies));
    const bound = await runWithPiton(trusted, { script: SESSION, before: [piton('trust', '--all', '--yes')] });
    expect(bound.appeared).toEqual([]);
    expect(bound.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_PROJECT') });
  });
});
