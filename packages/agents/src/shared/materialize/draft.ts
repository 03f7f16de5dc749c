import { injectsText, isToolEvent, type Loss, type MaterializeRefusal, type NativeEvent, type PortableHook } from '@piton/contracts';
import { type Answer, answerToBlock, answerWithContext, blockOf, isDeniable } from './answers.ts';
import { nativeTargets } from './events.ts';
import type { MaterializeFacts } from './facts.ts';
import { runScript, type Script, type ScriptEvent } from './run-script.ts';
import { type NativeTool, type Selection, selectTools } from './tools.ts';

/** A hook in an agent's own words, before it is written into a file. */
export interface Draft {
  readonly ok: true;
  readonly hook: PortableHook;
  readonly events: readonly NativeEvent[];
  /** Regular expressions of native tool names, or null for all. */
  readonly tools: readonly string[] | null;
  /** Words for the source, or null for all. */
  readonly sources: readonly string[] | null;
  readonly script: string;
  readonly losses: readonly Loss[];
}

export const untranslatable = (why: string): MaterializeRefusal => ({ ok: false, code: 'materialize.untranslatable', why });

export function draftOf(hook: PortableHook, facts: MaterializeFacts, more: Pick<Script, 'exitsOnBlock'> = {}): Draft | MaterializeRefusal {
  const targets = nativeTargets(hook, facts);
  if (!targets.ok) return untranslatable(targets.why);
  const isTool = isToolEvent(targets.generic);
  if (!isTool && targets.kinds !== null) return untranslatable(`"when.kind" never holds at ${hook.event}, which is of no tool`);
  const every: Selection = { ok: true, patterns: null, tools: facts.tools.tools, losses: [] };
  const selected = isTool ? selectTools(hook, targets.kinds, facts.tools, facts.title) : every;
  if (!selected.ok) return untranslatable(selected.why);
  const sources = hook.source === null ? null : (facts.sources?.[targets.generic] ?? []).filter(hook.source);
  if (sources?.length === 0) return untranslatable(`"when.source" cannot be put into ${facts.title}'s configuration for ${hook.event}`);

  const { toolInPayload } = facts;
  const filtered = toolInPayload !== undefined && selected.patterns !== null;
  const script = runScript({
    hook,
    agent: facts.agent,
    title: facts.title,
    events: targets.events.map((event) => scriptEvent(facts, event, selected.tools, hook)),
    filter: filtered
      ? toolInPayload(`(${selected.patterns.map(withinQuotes).join('|')})`)
      : toolInPayload !== undefined && isTool
        ? ''
        : null,
    quietCrash: facts.quietCrash === true,
    ...more,
  });
  const losses = [...targets.losses, ...selected.losses, ...lossesOf(hook, facts, targets.events, isTool ? selected.tools : [])];
  return { ok: true, hook, events: targets.events, tools: selected.patterns, sources, script, losses };
}

const withinQuotes = (pattern: string): string => pattern.replaceAll('.+', '[^"]+').replaceAll('.*', '[^"]*');

function scriptEvent(facts: MaterializeFacts, event: NativeEvent, tools: readonly NativeTool[], hook: PortableHook): ScriptEvent {
  const wanted = hook.injectOutput ?? injectsText(event.event);
  return {
    native: event.name,
    block: blocksOf(facts, event, tools),
    context: wanted ? answerWithContext(facts, event).pieces : null,
    nothing: facts.noop(event.name).stdout,
  };
}

/** One for all tools, unless the agent has other denies for some of them and the payload shows which it is. */
function blocksOf(facts: MaterializeFacts, event: NativeEvent, tools: readonly NativeTool[]): ScriptEvent['block'] {
  const rest = answerToBlock(facts, event).pieces;
  const { toolInPayload } = facts;
  if (toolInPayload === undefined) return [{ payload: null, pieces: rest }];
  const special = tools.flatMap((tool) => {
    const { pieces } = answerToBlock(facts, event, tool);
    return JSON.stringify(pieces) === JSON.stringify(rest) ? [] : [{ payload: toolInPayload(tool.native), pieces }];
  });
  return [...special, { payload: null, pieces: rest }];
}

function lossesOf(hook: PortableHook, facts: MaterializeFacts, events: readonly NativeEvent[], tools: readonly NativeTool[]): Loss[] {
  const losses: Loss[] = [];
  const lose = (field: string, what: string): void => void losses.push({ field, what });
  const [event] = events;
  if (event === undefined || hook.native) return losses;
  if (!facts.portablePayload) lose('payload', "it reads the agent's own payload, whose fields are not those that Piton hands to a hook");
  if (hook.observe) {
    lose('observe', 'the agent waits until it has ended; what it says is dropped, as under Piton');
    return losses;
  }
  lose('answer', facts.inProcess ? READ_ANSWERS : OWN_ANSWERS);
  const block = answerToBlock(facts, event);
  for (const what of blockLosses(facts, event, tools)) lose('exit 2', what);
  const wantsText = hook.injectOutput ?? injectsText(event.event);
  const text = answerWithContext(facts, event);
  if (wantsText && (text.pieces === null || text.note !== undefined))
    lose('inject_output', text.note ?? `text that it prints does not reach the model at ${event.name}`);
  if (hook.failClosed && !(isDeniable(event.event) && block.pieces !== null))
    lose('fail_closed', `the agent cannot be held back at ${event.name}`);
  else if (hook.failClosed && !facts.inProcess)
    lose(
      'fail_closed',
      `kept where it ends with an error; ${facts.noTimeout ? 'where its files are gone' : 'where the agent stops it at its time limit'}, the agent goes on`,
    );
  if (facts.noTimeout) lose('timeout', 'the agent sets its hooks no time limit of ours');
  return losses;
}

/** What exit 2 does not do here; where the agent has other denies for some tools, of those that are meant. */
function blockLosses(facts: MaterializeFacts, event: NativeEvent, tools: readonly NativeTool[]): string[] {
  if (blockOf(event.event) === null) return [];
  const noteOn = ({ pieces, note }: Answer): string | undefined =>
    note ?? (pieces === null ? `the agent takes no such answer at ${event.name}` : undefined);
  if (facts.toolInPayload === undefined || tools.length === 0) return [noteOn(answerToBlock(facts, event)) ?? []].flat();
  const byWords = new Map<string, string[]>();
  for (const tool of tools) {
    const words = noteOn(answerToBlock(facts, event, tool));
    if (words !== undefined) byWords.set(words, [...(byWords.get(words) ?? []), tool.native]);
  }
  return [...byWords].map(([words, names]) => `of ${names.join(', ')}: ${words}`);
}

const OWN_ANSWERS = "exit 2 is translated; JSON that it prints goes to the agent as it is, so it must be in the agent's own form";
const READ_ANSWERS = 'exit 2 is translated; of JSON that it prints a deny, context and the wish to go on count, nothing else';
