import { expect, it } from 'vitest';
import type { EventRecord, ObservationRecord, Store } from '../src/index.ts';
import { event, OBSERVED, redactor, stampOf } from './records.ts';

/** Not called: it stands here to be compiled. */
function rawBodiesDoNotCompile(store: Store, good: EventRecord): void {
  void store.record([good]);
  // @ts-expect-error a payload that did not pass through the redactor
  void store.record([{ ...good, envelope: { ...good.envelope, payload: { raw: 'x' } } }]);
  // @ts-expect-error a raw prompt
  void store.record([{ ...good, prompt: 'hello' }]);
  // @ts-expect-error raw text
  void store.record([{ ...good, text: 'hello' }]);
  // @ts-expect-error a raw tool
  void store.record([{ ...good, tool: { name: 'Bash', nativeName: 'Bash', kind: 'shell', useId: null, command: 'x', files: [] } }]);
  // @ts-expect-error a raw outcome
  void store.record([{ ...good, outcome: OBSERVED }]);
  // @ts-expect-error raw problems
  void store.record([{ ...good, problems: ['x'] }]);
  // @ts-expect-error a raw branch
  void store.record([{ ...good, branch: 'main' }]);
  // @ts-expect-error a raw path
  void store.record([{ ...good, transcriptPath: '/x' }]);
  // @ts-expect-error raw texts in place of those that are stored
  void store.rewriteBodies([{ of: 'observation', seq: 1, redaction: '', body: {} }]);
  // @ts-expect-error a raw observation
  const observation: ObservationRecord = { id: '', session: '', kind: 'note', wallUs: 0n, redaction: '', body: {} };
  void store.observe(observation);
}

it('a body that passed through the redactor compiles', () => {
  const good: EventRecord = { ...event(1), prompt: redactor.text('hello'), outcome: redactor.value(OBSERVED) };
  expect(good.eventId).toBe(stampOf(1));
  expect(rawBodiesDoNotCompile).toBeTypeOf('function');
});
