import { bash, claudeDriver, describeReal, type Facts, runAgent, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { addUserHook, newStage, runsOf, runWithPiton, saying } from './setup.ts';

const STORY = {
  script: talk({ ...bash('echo hi'), promptTokens: 190_000 }, { text: '<summary>TOKEN_SUMMARY</summary>' }, { text: 'Finished.' }),
  flags: ['--autocompact', '100000'],
};

/** What the model was asked to summarize, without what differs from run to run. */
function instructionsOf(facts: Facts, workspace: Workspace): string {
  const request = facts.requests.find(({ ask }) => ask?.userTexts.some((text) => text.includes('create a detailed summary')));
  return (request?.ask?.userTexts.at(-1) ?? '').replaceAll(workspace.root, '$RUN');
}

describeReal('claude', 'a real compaction', () => {
  test('hooks before a compaction do not change the request for the summary', async () => {
    const plain = newStage();
    const without = await runAgent(claudeDriver, plain, STORY);
    const workspace = newStage();
    addUserHook(workspace, 'pre-compact', saying(workspace, 'compact', { decision: 'replace', content: 'TOKEN_KEPT for later' }));
    const facts = await runWithPiton(workspace, STORY);
    expect(runsOf(workspace, 'compact')).toBe(1);
    expect(instructionsOf(without, plain)).toContain('create a detailed summary');
    expect(instructionsOf(facts, workspace)).toBe(instructionsOf(without, plain));
    expect(facts.requests).toHaveLength(3);
    // It cannot be said there: it is kept and said when the session begins anew.
    expect(facts.tokens.TOKEN_KEPT).toEqual([2]);
    expect(facts.tokens.TOKEN_SUMMARY).toEqual([2]);
  });
});
