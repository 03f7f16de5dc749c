import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AgentDriver, claudeDriver, describeReal } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage } from '../real-claude/stage.ts';
import { CONTEXT, type DemoSession, demoSession, playForDemo, REASON } from './recording.ts';

/** Each has its file in the demo. A new one: its driver here, a recording with PITON_RECORD=1, and one line in the demo's list. */
const DRIVERS: readonly AgentDriver[] = [claudeDriver];

const fileOf = (agent: string): string => fileURLToPath(new URL(`../../apps/cli/src/demo/sessions/${agent}.json`, import.meta.url));

/** Its form: values differ from run to run. */
const formOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
};

for (const driver of DRIVERS) {
  const agent = driver.pinned.id;
  describeReal(agent, 'the session of the demo', () => {
    test('is one that the agent had: denied, told, and gone on', async () => {
      const room = newStage();
      const facts = await playForDemo(driver, room);
      expect(facts).toMatchObject({ exit: 0, timedOut: false });
      expect([...facts.appeared].sort()).toEqual(['.trash/build/out.txt', 'a.txt']);
      expect(facts.toolResults.map(({ text }) => text).join('\n')).toContain(REASON);
      expect(JSON.stringify(facts.requests[0]?.body)).toContain(CONTEXT);

      const session = demoSession(driver, room, facts);
      expect(JSON.stringify(session)).not.toContain(room.root);
      if (process.env.PITON_RECORD) writeFileSync(fileOf(agent), `${JSON.stringify(session, null, 2)}\n`);
      const played = JSON.parse(readFileSync(fileOf(agent), 'utf8')) as DemoSession;
      expect(played.recordedWith).toBe(session.recordedWith);
      expect(played.steps.map(({ event }) => event)).toEqual(session.steps.map(({ event }) => event));
      expect(formOf(played.steps)).toEqual(formOf(session.steps));
    });
  });
}
