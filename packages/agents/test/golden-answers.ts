import { type Agent, OBSERVE, type Reduced } from '@piton/contracts';

export const deny = { decision: 'deny', verdict: 'deny', reason: 'no' } as const;
export const ask = { decision: 'ask', verdict: 'ask', reason: 'sure?' } as const;
export const allow = { decision: 'allow', verdict: 'allow', reason: 'fine' } as const;
export const modify = { decision: 'modify', input: { command: 'true' } } as const;
export const rewrite = { decision: 'rewrite', output: 'new output' } as const;
export const replace = { decision: 'replace', content: 'context' } as const;
export const goOn = { decision: 'continue', continue: 'tests have not run' } as const;

const SAID: Readonly<Record<string, Partial<Reduced>>> = {
  observe: OBSERVE,
  deny,
  ask,
  allow,
  modify,
  rewrite,
  replace,
  continue: goOn,
  'deny + replace': { ...deny, content: 'context' },
  'deny + modify': { ...deny, input: { command: 'true' } },
  'deny + end of run': { ...deny, endRun: true },
  'ask + modify + replace': { ...ask, input: { command: 'true' }, content: 'context' },
  'allow + modify': { ...allow, input: { command: 'true' } },
  'rewrite + replace': { ...rewrite, content: 'context' },
  'deny + rewrite': { ...rewrite, ...deny, output: 'new output' },
  'continue + end of run': { ...goOn, verdict: 'deny', reason: 'no', endRun: true },
  'message to the person': { userMessage: 'look' },
};

/** One decision on one sample, encoded. */
export const encoderOf =
  (agent: Agent, sampleOf: (name: string) => unknown) =>
  (sample: string, said: Partial<Reduced>, attended = true) =>
    agent.encode(
      agent.decode(sampleOf(sample), { nativeEvent: sample.split('.')[0] ?? '', cwd: '/', variables: {} }),
      { decision: 'observe', verdict: 'observe', ...said },
      { attended },
    );

/** Every decision on every event of an agent, a line each, for a golden file that people can read. */
export function goldenAnswers(agent: Agent, sampleOf: (name: string) => unknown, more: readonly string[] = []): string {
  const encode = encoderOf(agent, sampleOf);
  const show = (name: string, kind: string, said: Partial<Reduced>, attended: boolean) => {
    const { answer, delivered, deferred } = encode(name, said, attended);
    const how = delivered.map((part) => `${part.decision} ${part.how}`).join(', ');
    return `${name} | ${kind}${attended ? '' : ', nobody there'} | ${answer.stdout || '(nothing)'} | ${how}${deferred === undefined ? '' : ` | kept: ${deferred}`}`;
  };
  const lines = (name: string) => [
    ...Object.entries(SAID).map(([kind, said]) => show(name, kind, said, true)),
    show(name, 'ask', ask, false),
  ];
  const all = agent.events.flatMap(({ name, event }) =>
    event === 'other' ? [show(name, 'observe', OBSERVE, true), show(name, 'deny', deny, true)] : lines(name),
  );
  return `${[...all, ...more.flatMap(lines)].join('\n')}\n`;
}
