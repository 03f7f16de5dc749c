import { type CanonicalEvent, type Delivery, type EventName, exit2Of, type NativeEvent, OBSERVE, type Reduced } from '@piton/contracts';
import type { MaterializeFacts } from './facts.ts';
import type { NativeTool } from './tools.ts';

/** Stands for a text that is known only when the hook has run. */
const TEXT = 'PITON-TEXT-OF-THE-HOOK';

/** An answer in the agent's own form, cut where the text of the hook goes. One piece: the text has no place in it. */
export type Pieces = readonly string[];

export interface Answer {
  /** Null where the agent takes no such answer. */
  readonly pieces: Pieces | null;
  /** What becomes of it, where that is not what it says. */
  readonly note?: string;
}

const deny: Reduced = { decision: 'deny', verdict: 'deny', reason: TEXT };
const goOn: Reduced = { ...OBSERVE, decision: 'continue', continue: TEXT };
const context: Reduced = { ...OBSERVE, decision: 'replace', content: TEXT };

const BLOCKS = { deny, continue: goOn, replace: context } as const;

/** What exit 2 means on an event: as in Claude Code, and under Piton. */
export function blockOf(generic: EventName): Reduced | null {
  const block = exit2Of(generic);
  return block === undefined ? null : BLOCKS[block];
}

export const isDeniable = (generic: EventName): boolean => blockOf(generic) === deny;

export const answerWithContext = (facts: MaterializeFacts, event: NativeEvent): Answer => answered(facts, event, undefined, context);

export function answerToBlock(facts: MaterializeFacts, event: NativeEvent, tool?: NativeTool): Answer {
  const block = blockOf(event.event);
  return block === null ? { pieces: null } : answered(facts, event, tool, block);
}

/** The agent's own encoder says how, so that what runs without Piton answers as Piton would. */
function answered(facts: MaterializeFacts, event: NativeEvent, tool: NativeTool | undefined, said: Reduced): Answer {
  const { answer, delivered } = facts.encode(eventOf(facts.agent, event, tool), said, { attended: false });
  const pieces = answer.stdout.split(TEXT);
  const note = noteOf(delivered, said.decision);
  if (pieces.length < 2 || answer.exitCode !== 0) return { pieces: null, ...(note !== undefined && { note }) };
  return { pieces, ...(note !== undefined && { note }) };
}

function noteOf(delivered: readonly Delivery[], decision: Reduced['decision']): string | undefined {
  const found = delivered.find((each) => each.decision === decision);
  return found === undefined || found.how === 'now' ? undefined : found.note;
}

function eventOf(agent: string, { name, event }: NativeEvent, tool: NativeTool | undefined): CanonicalEvent {
  return {
    event,
    names: [event],
    agent,
    nativeEvent: name,
    sessionId: '',
    cwd: '/',
    portable: {},
    raw: {},
    ...(tool && { tool: { name: tool.names[0] ?? tool.native, nativeName: tool.native, kind: tool.kind, input: {}, files: [] } }),
  };
}
