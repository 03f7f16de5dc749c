import { type BedStep, copilotDriver, describeReal, type Facts, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { addHook, FOR_USER, newStage, payloadsOf, piton, runWithPiton } from './setup.ts';

const SHELL = talk(copilotDriver.tools.shell('echo one > one.txt'), { text: 'Finished.' });
const FOR_CLAUDE = piton('init', '--project', '--agent', 'claude', '--yes');
const IN_TRUST = { script: SHELL, flags: ['--trust-folder'] };

const events: BedStep = piton('events', 'list', '--limit', '100', '--json');
const storedIn = (facts: Facts) =>
  JSON.parse(facts.step(events.name).stdout) as { readonly agent: string; readonly event: string; readonly derived: boolean }[];

describeReal('copilot', "through the project's settings of Claude Code, which it runs too", () => {
  test('a deny holds, the model reads why, and the record says who it was', async () => {
    const room = newStage();
    addHook(room, 'pre-shell-execution', { decision: 'deny', reason: 'TOKEN_DENY not here' });
    const facts = await runWithPiton(room, { ...IN_TRUST, after: [events] }, [FOR_CLAUDE]);
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]?.text).toContain('TOKEN_DENY');
    expect(new Set(storedIn(facts).map(({ agent }) => agent))).toEqual(new Set(['copilot']));
  });

  test('context at session start, prompt and after a tool reaches the model', async () => {
    const room = newStage();
    addHook(room, 'session-start', { decision: 'replace', content: 'TOKEN_START' });
    addHook(room, 'user-prompt-submit', { decision: 'replace', content: 'TOKEN_PROMPT' });
    addHook(room, 'post-tool-use', { decision: 'replace', content: 'TOKEN_AFTER' });
    const facts = await runWithPiton(room, IN_TRUST, [FOR_CLAUDE]);
    expect(facts.tokens).toMatchObject({
      TOKEN_START: expect.arrayContaining([0]),
      TOKEN_PROMPT: expect.arrayContaining([0]),
      TOKEN_AFTER: [1],
    });
  });

  test('with its own registration beside it a hook runs once for each event', async () => {
    const room = newStage();
    for (const event of ['session-start', 'user-prompt-submit', 'pre-tool-use', 'post-tool-use', 'stop']) addHook(room, event);
    const facts = await runWithPiton(room, { ...IN_TRUST, after: [events] }, [FOR_USER, FOR_CLAUDE]);
    expect(facts.appeared).toEqual(['one.txt']);
    for (const event of ['session-start', 'user-prompt-submit', 'pre-tool-use', 'post-tool-use', 'stop'])
      expect([event, payloadsOf(room, event).length]).toEqual([event, 1]);
    const stored = storedIn(facts).filter(({ event, derived }) => event === 'pre_tool_use' && !derived);
    expect(stored).toHaveLength(1);
  });
});
