import { type ActiveDecision, type Decision, type DecisionOf, EVENT_FAMILIES, type EventFamily, type JsonObject } from '@piton/contracts';
import type { Part } from './reduce.ts';

export type ObjectAnswer = { readonly ok: true; readonly part: Part } | { readonly ok: false; readonly problem: string };

class Unreadable extends Error {}

/** What surrounds an answer: what the event is, and what to say for a hook that gives no reason. */
export interface AnswerContext {
  readonly family: EventFamily;
  /** Claude Code's names of this event; empty where any will do. */
  readonly eventNames: readonly string[];
  readonly noReason: string;
}

/** Reads a JSON answer: Claude Code's, old or new, or one of Piton's decisions. */
export function readAnswerObject(answer: JsonObject, context: AnswerContext): ObjectAnswer {
  try {
    const specific = specificOf(answer, context);
    // Beside nothing it is the form of Copilot CLI, which published hooks print where they find themselves in it.
    const flat = specific === undefined ? contextOf(answer, context) : [];
    const decisions = [...topDecision(answer, context), ...(specific ? specificDecisions(specific, context) : []), ...flat];
    return { ok: true, part: withUniversal(answer, specific, decisions, context) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, problem: error.message };
    throw error;
  }
}

function topDecision(answer: JsonObject, context: AnswerContext): Decision[] {
  if (answer.decision === undefined || answer.decision === null) return [];
  const reason = textOf(answer.reason, 'reason') ?? context.noReason;
  const name = answer.decision === 'approve' ? 'allow' : answer.decision;
  if (name === 'block') return [blockOf(reason, context)];
  if (name === 'observe') return [];
  if (typeof name !== 'string' || !Object.hasOwn(READERS, name))
    throw new Unreadable(`"decision" is ${JSON.stringify(answer.decision)}, which is not a decision`);
  return [READERS[name as ActiveDecision](answer, reason)];
}

const optionalReason = (answer: JsonObject, reason: string) => (answer.reason === undefined ? {} : { reason });

/** Each kind of decision from the object that names it. `reason` is there even where the hook gave none. */
const READERS: { readonly [Name in ActiveDecision]: (answer: JsonObject, reason: string) => DecisionOf<Name> } = {
  deny: (_, reason) => ({ decision: 'deny', reason }),
  ask: (_, reason) => ({ decision: 'ask', reason }),
  allow: (answer, reason) => ({ decision: 'allow', ...optionalReason(answer, reason) }),
  modify: (answer, reason) => ({ decision: 'modify', input: needObject(answer.input, 'input'), ...optionalReason(answer, reason) }),
  rewrite: (answer) => {
    if (!('output' in answer)) throw new Unreadable('"rewrite" needs "output"');
    return { decision: 'rewrite', output: answer.output };
  },
  replace: ({ content }) => ({ decision: 'replace', content: needText(content, 'content') }),
  continue: (_, reason) => ({ decision: 'continue', reason }),
};

/** Claude's `block` and exit 2 mean what is left to be stopped. */
export function blockOf(reason: string, context: AnswerContext): Decision {
  const { block } = EVENT_FAMILIES[context.family];
  return block === 'replace' ? { decision: block, content: reason } : { decision: block, reason };
}

function specificOf(answer: JsonObject, context: AnswerContext): JsonObject | undefined {
  if (answer.hookSpecificOutput === undefined || answer.hookSpecificOutput === null) return undefined;
  const specific = needObject(answer.hookSpecificOutput, 'hookSpecificOutput');
  const name = specific.hookEventName;
  // As in Claude Code, an answer to another event is none. A missing name is forgiven.
  if (name !== undefined && context.eventNames.length > 0 && !context.eventNames.includes(String(name))) {
    throw new Unreadable(`"hookEventName" is ${JSON.stringify(name)}, the event is ${context.eventNames[0]}`);
  }
  return specific;
}

function specificDecisions(specific: JsonObject, context: AnswerContext): Decision[] {
  const decisions = [...permissionDecision(specific, context), ...requestDecision(specific, context)];
  if (specific.updatedInput !== undefined) decisions.push(modify(specific.updatedInput, 'updatedInput'));
  if ('updatedToolOutput' in specific) decisions.push({ decision: 'rewrite', output: specific.updatedToolOutput });
  else if ('updatedMCPToolOutput' in specific) decisions.push({ decision: 'rewrite', output: specific.updatedMCPToolOutput });
  return [...decisions, ...contextOf(specific, context)];
}

function contextOf({ additionalContext }: JsonObject, { family }: AnswerContext): Decision[] {
  const added = textOf(additionalContext, 'additionalContext');
  if (!added) return [];
  // At stop, added context makes Claude Code continue.
  return [family === 'stop' ? { decision: 'continue', reason: added } : { decision: 'replace', content: added }];
}

function permissionDecision(specific: JsonObject, context: AnswerContext): Decision[] {
  const said = specific.permissionDecision;
  if (said === undefined || said === null || said === 'defer') return [];
  const reason = textOf(specific.permissionDecisionReason, 'permissionDecisionReason');
  if (said === 'allow') return [{ decision: 'allow', ...(reason !== undefined && { reason }) }];
  if (said === 'deny' || said === 'ask') return [{ decision: said, reason: reason || context.noReason }];
  throw new Unreadable(`"permissionDecision" is ${JSON.stringify(said)}, which is not a decision`);
}

/** The answer to a permission request stands in an object of its own. */
function requestDecision(specific: JsonObject, context: AnswerContext): Decision[] {
  if (specific.decision === undefined || specific.decision === null) return [];
  const decision = needObject(specific.decision, 'hookSpecificOutput.decision');
  if (decision.behavior === 'deny') return [{ decision: 'deny', reason: textOf(decision.message, 'message') || context.noReason }];
  if (decision.behavior !== 'allow') throw new Unreadable(`"behavior" is ${JSON.stringify(decision.behavior)}, which is not a decision`);
  return [{ decision: 'allow' }, ...(decision.updatedInput !== undefined ? [modify(decision.updatedInput, 'updatedInput')] : [])];
}

/** `continue: false`, `stopReason` and `systemMessage` may stand beside any answer. */
function withUniversal(answer: JsonObject, specific: JsonObject | undefined, decisions: Decision[], context: AnswerContext): Part {
  const request = specific?.decision as JsonObject | null | undefined;
  const endRun = answer.continue === false || request?.interrupt === true;
  const stopReason = textOf(answer.stopReason, 'stopReason');
  const { deniable } = EVENT_FAMILIES[context.family];
  const all = [...decisions];
  if (endRun && deniable && !all.some((said) => said.decision === 'deny')) {
    all.push({ decision: 'deny', reason: stopReason ?? textOf(answer.reason, 'reason') ?? context.noReason });
  }
  const messages = [textOf(answer.systemMessage, 'systemMessage'), endRun && !deniable ? stopReason : undefined].filter(Boolean);
  return {
    decisions: all,
    ...(messages.length > 0 && { userMessage: messages.join('\n') }),
    ...(endRun && { endRun }),
  };
}

const modify = (input: unknown, field: string): Decision => ({ decision: 'modify', input: needObject(input, field) });

function textOf(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Unreadable(`"${field}" is not a string`);
  return value;
}

function needText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new Unreadable(`"${field}" is missing or not a string`);
  return value;
}

function needObject(value: unknown, field: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Unreadable(`"${field}" is not an object`);
  return value as JsonObject;
}
