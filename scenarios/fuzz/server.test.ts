import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { type Agent, type CanonicalEvent, EVENTS, ulid } from '@piton/contracts';
import { ask, createDice, eventually, layHome, mutate, mutateText, removeHome, selectAll, serverPids, type TestHome } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerReaderOf, payloadsOf } from '../../packages/agents/test/every-agent.ts';
import { sendFrame } from './hook-socket.ts';

const FRAMES = Number(process.env.PITON_FUZZ_FRAMES ?? 3000);
const AT_ONCE = 24;
const ANSWER_LIMIT_MS = 60_000;

/** Says this or that, by the length of what it reads. */
const SAYS = `const ANSWERS = [
  undefined,
  { decision: 'deny', reason: 'no' },
  { decision: 'ask', reason: 'may I?' },
  { decision: 'allow' },
  { decision: 'replace', content: 'read this' },
  { decision: 'rewrite', output: 'something else' },
  { decision: 'continue', reason: 'go on' },
  'plain text',
];
export default (payload) => {
  const size = JSON.stringify(payload).length;
  return size % 9 === 8 ? { decision: 'modify', input: payload.tool_input ?? {} } : ANSWERS[size % 9];
};`;

let home: TestHome;
beforeAll(() => {
  home = layHome();
  mkdirSync(join(home.places.config, 'modules'), { recursive: true });
  writeFileSync(join(home.places.config, 'modules', 'says.mjs'), SAYS);
  const hooks = EVENTS.map((event) => ({ name: `says-${event}`, event, module: 'modules/says.mjs' }));
  writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify({ hooks }));
  spawnSync(home.places.forwarder, ['--serve']);
});
afterAll(async () => {
  await removeHome(home);
});

describe('a server that is sent what no agent would send', () => {
  it('answers everything with something that the agent takes, and lives', { timeout: 400_000 }, async () => {
    const dice = createDice();
    console.log(`fuzz: PITON_SEED=${dice.seed}`);
    await eventually(async () => (await ask(home, 'GET', '/v1/status'))?.status === 200);
    const pids = serverPids(home);
    const kinds = await Promise.all(
      AGENTS.map(async (agent) => ({ agent, recorded: payloadsOf(agent), read: await answerReaderOf(agent) })),
    );
    const pool = kinds.flatMap(({ recorded }) => recorded.map(({ payload }) => payload));
    // Rolled before anything is sent: what is sent does not depend on who is answered first.
    const frames = Array.from({ length: FRAMES }, () => {
      const { agent, recorded, read } = dice.pick(kinds);
      const { payload, context } = dice.pick(recorded);
      const text = dice.below(10) === 0 ? mutateText(JSON.stringify(payload), dice) : JSON.stringify(mutate(payload, dice, pool));
      const { nativeEvent } = context;
      const event = agent.decode(parsed(text), { nativeEvent, cwd: home.work, variables: {} });
      return { agent, read, nativeEvent, text: text ?? 'null', event, stamp: ulid(Date.now(), randomBytes(10)) };
    });
    let next = 0;
    const sender = async (): Promise<void> => {
      for (let at = next++; at < frames.length; at = next++) {
        const { agent, read, nativeEvent, text, event, stamp } = frames[at] as (typeof frames)[number];
        const where = `seed ${dice.seed}, frame ${at}, ${agent.id} ${nativeEvent}: ${text.slice(0, 2000)}`;
        try {
          const { exitCode, stdout, stderr } = await sendFrame(home, { agent: agent.id, nativeEvent }, text, stamp, ANSWER_LIMIT_MS);
          // The payload may name another event than the registration: the answer is for the one that it names.
          read({ exitCode, stdout: String(stdout), stderr: String(stderr) }, event.nativeEvent);
        } catch (error) {
          throw new Error(where, { cause: error });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));

    expect(serverPids(home)).toEqual(pids);
    const single = frames.filter((frame) => !hasTwin(frame, frames));
    const lost = (): string[] => {
      const kept = new Set(selectAll(home.places.store, 'SELECT event_id FROM events').map((row) => row.event_id));
      return single.filter(({ stamp }) => !kept.has(stamp)).map(({ text }) => text);
    };
    await eventually(async () => {
      await ask(home, 'POST', '/v1/flush');
      return lost().length === 0;
    }, 60_000);
    expect(single.length).toBeGreaterThan(FRAMES / 2);
    expect(lost()).toEqual([]);
  });
});

type Sent = { readonly stamp: string; readonly agent: Agent; readonly nativeEvent: string; readonly event: CanonicalEvent };

/** The same event of the same session by two registrations is one: pieces of other payloads make such pairs. */
const hasTwin = (one: Sent, all: readonly Sent[]): boolean =>
  all.some(
    (other) =>
      other.stamp !== one.stamp &&
      (other.agent !== one.agent || other.nativeEvent !== one.nativeEvent) &&
      other.event.event === one.event.event &&
      other.event.sessionId === one.event.sessionId,
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
