import { capabilityOf, type EventName } from '@piton/contracts';
import type { Found, LintAgent, Rule } from '../context.ts';
import { sendsEvent } from '../sends-event.ts';
import { targetsOf } from '../targets.ts';
import { blockAt, exitsIn, type WrittenDecision, writtenDecisions } from '../written-decisions.ts';

/** Decisions that an agent does not honour, reported before they surprise somebody. */
export const decisionRule: Rule = ({ entry, event, texts, file, lineOf }, { agents }) => {
  if (event === undefined || entry.wants === 'native') return [];
  const written = new Map<WrittenDecision, { file: string; line: number }>();
  for (const text of texts)
    for (const { decision, line } of writtenDecisions(text, event))
      if (!written.has(decision)) written.set(decision, { file: text.file, line: text.line + line });
  if (entry.inject_output === true && !written.has('replace')) written.set('replace', { file, line: lineOf('inject_output') });
  const [first] = written;
  if (first !== undefined && (entry.observe === true || entry.mode === 'shadow'))
    return entry.observe === true ? [onlyWatches(...first)] : [];
  const targets = targetsOf(entry, agents).filter((agent) => sendsEvent(agent, event));
  return [...written].flatMap(([decision, at]): Found[] => {
    const losses = lossesOf(targets, event, decision);
    return losses === '' ? [] : [{ rule: 'decision', ...at, what: `${decision} at ${event}: ${losses}`, remedy: REMEDY }];
  });
};

const REMEDY = 'see which agents support it: piton agents';

const onlyWatches = (decision: WrittenDecision, at: { file: string; line: number }): Found => ({
  ...{ rule: 'decision', ...at, what: `it returns ${decision}, but with observe: true that has no effect` },
  remedy: 'remove observe, or use mode: shadow to try it',
});

function lossesOf(agents: readonly LintAgent[], event: EventName, decision: WrittenDecision): string {
  const ignored: string[] = [];
  const becomes = new Map<string, string[]>();
  for (const { title, capabilities } of agents) {
    const capability = capabilityOf(capabilities, event, decision);
    if (capability.how === 'none') ignored.push(title);
    else if (capability.how === 'degraded') becomes.set(capability.becomes, [...(becomes.get(capability.becomes) ?? []), title]);
  }
  const degraded = [...becomes].map(([what, titles]) => `${titles.join(', ')}: ${what}`);
  return [...degraded, ...(ignored.length > 0 ? [`no effect in ${ignored.join(', ')}`] : [])].join('; ');
}

/** At an event where exit 2 neither denies nor reaches the model, it is a failure. */
export const exitRule: Rule = ({ event, texts, entry }) => {
  if (
    event === undefined ||
    entry.wants === 'native' ||
    blockAt(event) !== undefined ||
    event.startsWith('post_') ||
    event === 'todo_update'
  )
    return [];
  return texts.flatMap(({ shell, file, line }) =>
    exitsIn(shell)
      .slice(0, 1)
      .map((at) => ({
        ...{
          rule: 'decision.exit',
          file,
          line: line + at,
          what: `exit 2 does not deny at ${event}: it counts as a failure, or has no effect`,
        },
        remedy: 'return a decision as JSON, or use an event that can be denied',
      })),
  );
};
