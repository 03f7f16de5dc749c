import type { Decision, Verdict } from '@piton/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Part, reduce } from '../src/index.ts';

const part = (...decisions: Decision[]): Part => ({ decisions });

describe('reduce', () => {
  it('of nothing observes', () => {
    expect(reduce([])).toEqual({ decision: 'observe', verdict: 'observe' });
    expect(reduce([part(), part()])).toEqual({ decision: 'observe', verdict: 'observe' });
  });

  it('joins the reasons of those who spoke the verdict, and of no other', () => {
    const reduced = reduce([
      part({ decision: 'deny', reason: 'first' }),
      part({ decision: 'ask', reason: 'sure?' }),
      part({ decision: 'allow', reason: 'fine' }),
      part({ decision: 'deny', reason: 'second' }),
    ]);
    expect(reduced).toEqual({ decision: 'deny', verdict: 'deny', reason: 'first\nsecond' });
  });

  it('says once what several hooks say', () => {
    const said = part({ decision: 'deny', reason: 'not here' });
    expect(reduce([said, part({ decision: 'deny', reason: 'too late' }), said])).toEqual({
      decision: 'deny',
      verdict: 'deny',
      reason: 'not here\ntoo late',
    });
    const context = part({ decision: 'replace', content: 'use pnpm' });
    expect(reduce([context, context])).toMatchObject({ content: 'use pnpm' });
  });

  it('joins contents in order beside a verdict', () => {
    const reduced = reduce([
      part({ decision: 'replace', content: 'a' }),
      part({ decision: 'ask', reason: 'sure?' }, { decision: 'replace', content: 'b' }),
    ]);
    expect(reduced).toEqual({ decision: 'ask', verdict: 'ask', reason: 'sure?', content: 'a\nb' });
  });

  it('takes the last input and the last output', () => {
    const reduced = reduce([
      part({ decision: 'modify', input: { n: 1 }, reason: 'one' }),
      part({ decision: 'modify', input: { n: 2 } }),
      part({ decision: 'rewrite', output: 'x' }),
      part({ decision: 'rewrite', output: null }),
    ]);
    expect(reduced).toEqual({ decision: 'modify', verdict: 'observe', reason: 'one', input: { n: 2 }, output: null });
  });

  it('needs no input for what is denied', () => {
    expect(reduce([part({ decision: 'modify', input: {} }), part({ decision: 'deny', reason: 'no' })])).toEqual({
      decision: 'deny',
      verdict: 'deny',
      reason: 'no',
    });
  });

  it('lets any continue win', () => {
    const reduced = reduce([part(), part({ decision: 'continue', reason: 'a' }), part(), part({ decision: 'continue', reason: 'b' })]);
    expect(reduced).toEqual({ decision: 'continue', verdict: 'observe', continue: 'a\nb' });
  });

  it('ends the run rather than to go on', () => {
    const reduced = reduce([part({ decision: 'continue', reason: 'a' }), { decisions: [], endRun: true, userMessage: 'enough' }]);
    expect(reduced).toEqual({ decision: 'observe', verdict: 'observe', endRun: true, userMessage: 'enough' });
  });

  it('joins what the person is told', () => {
    expect(
      reduce([
        { decisions: [], userMessage: 'a' },
        { decisions: [], userMessage: 'b' },
      ]).userMessage,
    ).toBe('a\nb');
  });

  const decision = fc.oneof(
    fc.constant<Decision>({ decision: 'observe' }),
    fc.string().map((reason): Decision => ({ decision: 'deny', reason })),
    fc.string().map((reason): Decision => ({ decision: 'ask', reason })),
    fc.string().map((reason): Decision => ({ decision: 'allow', reason })),
    fc.string().map((content): Decision => ({ decision: 'replace', content })),
    fc.nat().map((n): Decision => ({ decision: 'modify', input: { n } })),
    fc.nat().map((output): Decision => ({ decision: 'rewrite', output })),
    fc.string().map((reason): Decision => ({ decision: 'continue', reason })),
  );
  const parts = fc.array(
    fc.array(decision, { maxLength: 3 }).map((decisions): Part => ({ decisions })),
    { maxLength: 8 },
  );
  const shuffled = parts.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));

  it('has a verdict and a name that do not depend on the order', () => {
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        const [a, b] = [reduce(list), reduce(other)];
        expect([b.verdict, b.decision, 'input' in b, 'output' in b]).toEqual([a.verdict, a.decision, 'input' in a, 'output' in a]);
      }),
    );
  });

  it('has the strongest verdict that anybody spoke', () => {
    const order: readonly Verdict[] = ['observe', 'allow', 'ask', 'deny'];
    fc.assert(
      fc.property(parts, (list) => {
        const spoken = list.flatMap(({ decisions }) => decisions.map((said) => order.indexOf(said.decision as Verdict)));
        expect(reduce(list).verdict).toBe(order[Math.max(0, ...spoken)]);
      }),
    );
  });

  it('is never made weaker by one more hook', () => {
    const order: readonly Verdict[] = ['observe', 'allow', 'ask', 'deny'];
    fc.assert(
      fc.property(parts, parts, (list, more) => {
        expect(order.indexOf(reduce([...list, ...more]).verdict)).toBeGreaterThanOrEqual(order.indexOf(reduce(list).verdict));
      }),
    );
  });

  it('keeps the order of contents, each once', () => {
    fc.assert(
      fc.property(parts, (list) => {
        const contents = list.flatMap(({ decisions }) => decisions.flatMap((said) => (said.decision === 'replace' ? [said.content] : [])));
        const once = contents.filter((content, at) => contents.indexOf(content) === at);
        expect(reduce(list).content).toBe(once.length > 0 ? once.join('\n') : undefined);
      }),
    );
  });
});
