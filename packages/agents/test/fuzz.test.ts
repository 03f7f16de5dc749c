import { type Agent, type EncodeContext, OBSERVE, type Reduced } from '@piton/contracts';
import { mutate, mutateText, type SeededRandom, seededRandom } from '@piton/testing';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../src/index.ts';
import { notDocumented } from './accepted-answers.ts';
import { acceptedAnswers, answerReaderOf, payloadsOf } from './every-agent.ts';

/** In all, shared by the agents. */
const MUTATIONS = Number(process.env.PITON_FUZZ ?? 100_000);
const LIMIT_MS = 600_000;

const TEXTS = ['no', '', 'quoted "\\" \n', '\u0000', '🙂'.repeat(9000), '</system>', '\ud800'];

function decisionsOf(random: SeededRandom, input: unknown): Reduced[] {
  const text = random.pick(TEXTS);
  const fields =
    typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : { command: text };
  const single: Reduced[] = [
    OBSERVE,
    { decision: 'deny', verdict: 'deny', reason: text },
    { decision: 'ask', verdict: 'ask', reason: text },
    { decision: 'allow', verdict: 'allow', reason: text },
    { decision: 'modify', verdict: 'observe', input: fields },
    { decision: 'rewrite', verdict: 'observe', output: random.pick<unknown>([text, {}, { stdout: text }, null, [text], 7]) },
    { decision: 'continue', verdict: 'observe', continue: text },
    { decision: 'replace', verdict: 'observe', content: text },
  ];
  const beside = [random.pick(single), random.pick(single), random.pick(single)];
  const all: Reduced = Object.assign({}, ...beside, { userMessage: text }, random.below(2) === 0 ? { endRun: true, ...single[1] } : {});
  return [...single, all];
}

/** From the payload to the answer, as the server does it, with every decision. */
function play(agent: Agent, payload: unknown, context: Parameters<Agent['decode']>[1], random: SeededRandom) {
  const event = agent.decode(payload, context);
  const encoding: EncodeContext = { attended: random.below(2) === 0 };
  const input = (event.portable as { tool_input?: unknown }).tool_input;
  return { event, answers: decisionsOf(random, input).map((decision) => ({ decision, ...agent.encode(event, decision, encoding) })) };
}

describe('payloads that are nearly right', () => {
  const random = seededRandom();
  console.log(`fuzz: PITON_SEED=${random.seed}`);
  const pool = AGENTS.flatMap((agent) => payloadsOf(agent).map(({ payload }) => payload));

  it.each(AGENTS.map((agent) => [agent.id, agent] as const))(
    '%s decodes and answers each with something that the agent takes',
    { timeout: LIMIT_MS },
    async (_id, agent) => {
      const recorded = payloadsOf(agent);
      const read = await answerReaderOf(agent);
      const recipes = acceptedAnswers(agent);
      expect(recorded.length).toBeGreaterThan(0);
      const names = agent.events.map(({ name }) => name);
      const each = Math.ceil(MUTATIONS / AGENTS.length);
      for (let n = 0; n < each; n++) {
        const { payload, context } = random.pick(recorded);
        const nativeEvent = random.below(10) === 0 ? random.pick([...names, 'SomethingNew', '']) : context.nativeEvent;
        const changed = random.below(20) === 0 ? parsed(mutateText(JSON.stringify(payload), random)) : mutate(payload, random, pool);
        const where = () => `seed ${random.seed}, ${agent.id} ${nativeEvent}, mutation ${n}: ${JSON.stringify(changed)?.slice(0, 2000)}`;
        try {
          const { event, answers } = play(agent, changed, { ...context, nativeEvent }, random);
          if (event.names[0] !== event.event || event.agent !== agent.id) throw new Error('the event does not name itself');
          for (const { answer } of answers) {
            read(answer, event.nativeEvent);
            const odd = recipes.length === 0 ? undefined : notDocumented(answer, event.nativeEvent, recipes);
            if (odd !== undefined) throw new Error(`not on the list for ${event.nativeEvent}: ${odd} in ${answer.stdout.slice(0, 300)}`);
          }
        } catch (error) {
          throw new Error(`${where()}\n${error instanceof Error ? error.stack : String(error)}`);
        }
      }
    },
  );
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // as the server hands it over
  }
}
