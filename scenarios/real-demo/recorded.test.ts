import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findAgent } from '@piton/agents';
import { DRIVERS, describeReal, type Facts } from '@piton/testing';
import { expect, test } from 'vitest';
import { newTestStage } from '../real-agents/setup.ts';
import { CONTEXT, type DemoSession, demoSession, playForDemo, REASON } from './recording.ts';

/** The first one of the demo is told whole, and does a little more. */
const FIRST = 'claude';

const fileOf = (agent: string): string => fileURLToPath(new URL(`../../apps/cli/src/demo/sessions/${agent}.json`, import.meta.url));

/** Its form: values differ from run to run. */
const formOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
};

/** Nobody waits for a notification: it comes before the prompt or after it. */
const notificationsLast = (steps: DemoSession['steps']): DemoSession['steps'] => {
  const isNotification = ({ event }: DemoSession['steps'][number]): boolean => event === 'Notification';
  return [...steps.filter((step) => !isNotification(step)), ...steps.filter(isNotification)];
};

/** Each has its file in the demo: a recording with PITON_RECORD=1, and one line in the demo's list. */
for (const driver of DRIVERS) {
  const { id } = driver.pinned;
  describeReal(id, 'the session of the demo', () => {
    test('comes from a real session: denied, explained, continued', async () => {
      const writes = id === FIRST;
      const room = newTestStage(driver);
      const facts = await playForDemo(driver, room, writes);
      expect(facts).toMatchObject({ exit: 0, timedOut: false });
      expect(facts.appeared.filter((path) => !path.startsWith('.piton')).sort()).toEqual(
        writes ? ['.trash/build/out.txt', 'a.txt'] : ['.trash/build/out.txt'],
      );
      const read = (requests: Facts['requests']): string => JSON.stringify(requests.map(({ body }) => body));
      expect(read(facts.requests)).toContain(REASON);
      // Some can be told only when their first tool is called, all others before they call one.
      const deferred = findAgent(id)?.capabilities.session_start?.replace?.how === 'deferred';
      const early = facts.requests.filter(({ ask }) => !ask?.toolResults.length);
      expect(read(deferred ? facts.requests : early)).toContain(CONTEXT);

      const session = demoSession(driver, room);
      expect(JSON.stringify(session)).not.toContain(room.root);
      if (process.env.PITON_RECORD) writeFileSync(fileOf(id), `${JSON.stringify(session, null, 2)}\n`);
      const played = JSON.parse(readFileSync(fileOf(id), 'utf8')) as DemoSession;
      expect([played.recordedWith, played.plugin]).toEqual([session.recordedWith, session.plugin]);
      const [recorded, now] = [played, session].map(({ steps }) => notificationsLast(steps)) as [
        DemoSession['steps'],
        DemoSession['steps'],
      ];
      expect(recorded.map(({ event }) => event)).toEqual(now.map(({ event }) => event));
      expect(formOf(recorded)).toEqual(formOf(now));
    });
  });
}
