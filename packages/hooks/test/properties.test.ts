import type { Decision } from '@piton/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Part, reduce } from '../src/index.ts';
import { fire, type Hook } from '../src/library/index.ts';

const reason = fc.constantFrom('r1', 'r2', 'r3');
const input = fc.record({ command: fc.constantFrom('ls', 'rm', 'make', 'curl') });
const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.constant({ decision: 'observe' } as const),
  fc.record({ decision: fc.constant('replace' as const), content: reason }),
  fc.record({ decision: fc.constant('allow' as const) }),
  fc.record({ decision: fc.constant('ask' as const), reason }),
  fc.record({ decision: fc.constant('deny' as const), reason }),
  fc.record({ decision: fc.constant('modify' as const), input }),
  fc.record({ decision: fc.constant('rewrite' as const), output: reason }),
  fc.record({ decision: fc.constant('continue' as const), reason }),
);
const part: fc.Arbitrary<Part> = fc.record(
  { decisions: fc.array(decision, { maxLength: 3 }), userMessage: reason, endRun: fc.boolean() },
  { requiredKeys: ['decisions'] },
);
const parts = fc.array(part, { maxLength: 6 });
const shuffledParts = parts.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
const lines = (text: string | undefined): string[] => (text === undefined ? [] : text.split('\n').sort());
const names = (all: readonly Part[]): string[] => all.flatMap(({ decisions }) => decisions.map((one) => one.decision));

describe('what is reduced', () => {
  it('does not depend on the order of hooks where it is said not to', () => {
    fc.assert(
      fc.property(shuffledParts, ([all, shuffled]) => {
        const [one, other] = [reduce(all), reduce(shuffled)];
        expect([other.verdict, other.decision, other.endRun]).toEqual([one.verdict, one.decision, one.endRun]);
        expect(lines(other.content)).toEqual(lines(one.content));
        expect(lines(other.continue)).toEqual(lines(one.continue));
        expect(lines(other.userMessage)).toEqual(lines(one.userMessage));
        if (one.verdict !== 'observe') expect(lines(other.reason)).toEqual(lines(one.reason));
        expect(other.input === undefined).toBe(one.input === undefined);
      }),
    );
  });

  it('never loses a deny, and is a deny only where one was said', () => {
    fc.assert(
      fc.property(parts, (all) => {
        expect(reduce(all).verdict === 'deny').toBe(names(all).includes('deny'));
      }),
    );
  });

  it('is allow only where a hook said so and none said more', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const said = names(all);
        expect(reduce(all).verdict === 'allow').toBe(said.includes('allow') && !said.includes('deny') && !said.includes('ask'));
      }),
    );
  });

  it('has the last input and output, in order', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const last = all.flatMap(({ decisions }) => decisions).findLast((one) => one.decision === 'modify');
        expect(reduce(all).input).toEqual(names(all).includes('deny') ? undefined : last?.input);
      }),
    );
  });
});

/** A hook as a table: what it says to each command. */
type Table = Readonly<Record<string, Decision>>;
const COMMANDS = ['ls', 'rm', 'make', 'curl'] as const;
const table: fc.Arbitrary<Table> = fc.record(Object.fromEntries(COMMANDS.map((command) => [command, decision])));
const condition = fc.option(fc.constantFrom(...COMMANDS), { nil: undefined });
const hookOf = (name: string, says: Table, only: string | undefined, heard: [string, string][]): Hook => ({
  name,
  event: 'pre_tool_use',
  ...(only !== undefined && { when: { command: only } }),
  run: ({ tool_input }) => {
    const command = String(tool_input?.command);
    heard.push([name, command]);
    return says[command];
  },
});
const scene = fc.record({
  hooks: fc.array(fc.tuple(table, condition), { minLength: 1, maxLength: 5 }),
  command: fc.constantFrom(...COMMANDS),
});

async function played({ hooks, command }: { hooks: [Table, string | undefined][]; command: string }) {
  const heard: [string, string][] = [];
  const made = hooks.map(([says, only], at) => hookOf(`h${at}`, says, only, heard));
  const { decision: reduced } = await fire(made, 'pre_tool_use', { toolName: 'Bash', toolInput: { command } });
  const said = heard.map(([name, about]) => hooks[Number(name.slice(1))]?.[0][about] as Decision);
  return { reduced, heard, said, final: String((reduced.input as { command?: string } | undefined)?.command ?? command) };
}

describe('what hooks decide together', () => {
  it('is a deny wherever one of them denied', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        const { reduced, said } = await played(given);
        if (said.some((one) => one.decision === 'deny')) expect(reduced.verdict).toBe('deny');
      }),
    );
  });

  it('is never allow where nobody said allow of what will be done', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        const { reduced, heard, final } = await played(given);
        if (reduced.verdict !== 'allow') return;
        const about = heard.filter(([, command]) => command === final).map(([name]) => given.hooks[Number(name.slice(1))]?.[0][final]);
        expect(about.map((one) => one?.decision)).toContain('allow');
      }),
      { numRuns: 2000 },
    );
  });

  it('was seen as it will be done by every guard, whatever a later hook made of it', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        const { reduced, heard, final } = await played(given);
        if (reduced.verdict === 'deny') return;
        for (const [at, [says, only]] of given.hooks.entries()) {
          const name = `h${at}`;
          const wrote = heard.some(([who, about]) => {
            const one = who === name ? says[about] : undefined;
            return one?.decision === 'modify' && one.input.command === final;
          });
          // Whoever wrote the input knows it; whose condition does not hold has nothing to see.
          if (wrote || (only !== undefined && only !== final)) continue;
          expect(heard).toContainEqual([name, final]);
          expect(says[final]?.decision).not.toBe('deny');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is nothing where all say nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(condition, { maxLength: 5 }), fc.constantFrom(...COMMANDS), async (conditions, command) => {
        const quiet = Object.fromEntries(COMMANDS.map((one) => [one, { decision: 'observe' } as const]));
        const { reduced } = await played({ hooks: conditions.map((only) => [quiet, only]), command });
        expect(reduced).toEqual({ decision: 'observe', verdict: 'observe' });
      }),
    );
  });
});
