import type { EventDetail, HookRun } from '@piton/store';
import { hostileNames } from '@piton/testing/hostile-names';
import { expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { describeEvent } from '../../src/events/show.ts';

const context = { paint: (_: string, text: string) => text, width: 80 } as unknown as Context;
const TEXTS = hostileNames().flatMap(({ text }) => text ?? []);

/** An event of which everything that somebody else writes is this text. */
function eventOf(text: string): EventDetail {
  const at = { hook: text, event: 'stop', note: text };
  const ran = { ...at, did: 'ran', durationMs: 1, exitCode: 0, stdout: text, stderr: text };
  const said = { decision: 'observe' };
  const trace = [
    { ...at, did: 'skipped', why: 'not-trusted' },
    { ...ran, said },
    { ...ran, failed: 'exit' },
  ];
  const decision = { decision: 'deny', reason: text, content: text, userMessage: text };
  const delivered = [{ decision: 'deny', how: 'none', note: text }];
  const run = { ...at, observed: true, exitCode: 1, durationMs: 1, failed: 'exit', said: null } as unknown as HookRun;
  return {
    ...{ eventId: 'id', event: 'stop', nativeEvent: text, agent: 'claude', via: 'hook', wallUs: 0, receivedAt: 'now', session: 'one' },
    ...{ projectPath: text, branch: text, model: text, text, prompt: text, parentId: text, problems: [text], serverUs: 1, depth: 0 },
    ...{ outcome: { decision, delivered, trace }, hookRuns: [run], decidedBy: [text], tool: null, envelope: { text } },
  } as unknown as EventDetail;
}

it('no text of others begins a line', () => {
  const heads =
    /^(?:stop {2}id|decision|hooks|envelope|(?:when|agent|session|about|in|model|text|advice|marks|from|took|problems) .*| {2}.*|)$/s;
  const wrong = TEXTS.flatMap((text) =>
    describeEvent(context, eventOf(text), text)
      .split('\n')
      .filter((line) => !heads.test(line))
      .map((line) => [text, line]),
  );
  expect(wrong.slice(0, 3)).toEqual([]);
});
