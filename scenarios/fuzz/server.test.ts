import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS, agentFor } from '@piton/agents';
import { type Agent, type CanonicalEvent, EVENTS, UNKNOWN_AGENT, ulid } from '@piton/contracts';
import {
  ask,
  createTestHome,
  eventually,
  mutate,
  mutateText,
  removeHome,
  seededRandom,
  selectAll,
  serverPids,
  type TestHome,
} from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerReaderOf, payloadsOf } from '../../packages/agents/test/every-agent.ts';
import { sendFrame } from './hook-socket.ts';

const FRAMES = Number(process.env.PITON_FUZZ_FRAMES ?? 3000);
const AT_ONCE = 24;
const ANSWER_LIMIT_MS = 60_000;

/** Says this or that, by the length of what it reads. */
const ANSWERING = `const ANSWERS = [
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
  home = createTestHome();
  mkdirSync(join(home.places.config, 'modules'), { recursive: true });
  writeFileSync(join(home.places.config, 'modules', 'says.mjs'), ANSWERING);
  const hooks = EVENTS.map((event) => ({ name: `says-${event}`, event, module: 'modules/says.mjs' }));
  writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify({ hooks }));
  spawnSync(home.places.forwarder, ['--serve']);
});
afterAll(async () => {
  await removeHome(home);
});

describe('a server that is sent what no agent would send', () => {
  it('answers everything with something that the agent takes, and lives', { timeout: 400_000 }, async () => {
    const random = seededRandom();
    console.log(`fuzz: PITON_SEED=${random.seed}`);
    await eventually(async () => (await ask(home, 'GET', '/v1/status'))?.status === 200);
    const pids = serverPids(home);
    const kinds = await Promise.all(
      AGENTS.map(async (agent) => ({ agent, recorded: payloadsOf(agent), read: await answerReaderOf(agent) })),
    );
    const pool = kinds.flatMap(({ recorded }) => recorded.map(({ payload }) => payload));
    // Rolled before anything is sent: what is sent does not depend on who is answered first.
    const frames = Array.from({ length: FRAMES }, () => {
      const { agent, recorded, read } = random.pick(kinds);
      const { payload, context } = random.pick(recorded);
      const text = random.below(10) === 0 ? mutateText(JSON.stringify(payload), random) : JSON.stringify(mutate(payload, random, pool));
      const { nativeEvent } = context;
      const native = { nativeEvent, cwd: home.work, variables: {} };
      const sender = agentFor(agent.id, parsed(text), native) ?? agent;
      const event = sender.decode(parsed(text), native);
      return { agent, read, nativeEvent, text: text ?? 'null', event, stamp: ulid(Date.now(), randomBytes(10)) };
    });
    let next = 0;
    const sender = async (): Promise<void> => {
      for (let at = next++; at < frames.length; at = next++) {
        const { agent, read, nativeEvent, text, event, stamp } = frames[at] as (typeof frames)[number];
        const where = `seed ${random.seed}, frame ${at}, ${agent.id} ${nativeEvent}: ${text.slice(0, 2000)}`;
        try {
          const { exitCode, stdout, stderr } = await sendFrame(home, { agent: agent.id, nativeEvent }, text, stamp, ANSWER_LIMIT_MS);
          // The payload may name another event than the registration: the answer is for the one that it names.
          const isRefusal = exitCode === 2 && event.agent === UNKNOWN_AGENT && String(stderr) !== '';
          // What is no longer its own is also refused by the code: then the words must refuse as well.
          const words = { exitCode: isRefusal ? 0 : exitCode, stdout: String(stdout), stderr: isRefusal ? '' : String(stderr) };
          const { denied } = read(words, event.nativeEvent);
          const hasWords = !(agent.id === 'auggie' && event.event === 'user_prompt_submit'); // nothing that it reads at a prompt refuses
          if (isRefusal && hasWords) expect(denied).toBeDefined();
        } catch (error) {
          throw new Error(where, { cause: error });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));

    expect(serverPids(home)).toEqual(pids);
    const single = frames.filter((frame) => !hasDuplicate(frame, frames));
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
const hasDuplicate = (one: Sent, all: readonly Sent[]): boolean =>
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
