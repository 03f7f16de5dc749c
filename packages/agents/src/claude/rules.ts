import type { EventName, Reduced } from '@piton/contracts';
import { type Draft, deferContext, type Rule, verdictOf } from '../shared/answer-draft.ts';
import { isObject } from '../shared/json-fields.ts';
import { shapeOutput } from './tool-output.ts';

/** Claude Code puts longer texts into a file and shows the model the start of it. */
const PREVIEW_LIMIT = 10_000;

const addContext: Rule = (draft, { content }) => {
  if (content === undefined) return;
  draft.specific.additionalContext = content;
  const isLong = content.length > PREVIEW_LIMIT;
  draft.delivered.push(
    isLong
      ? { decision: 'replace', how: 'degraded', note: `over ${PREVIEW_LIMIT} characters: the model sees the start and a file` }
      : { decision: 'replace', how: 'now' },
  );
};

/** The end of the run alone would let the tool run: it always stands beside a deny. */
function addEnd(draft: Draft, { endRun, reason }: Reduced): void {
  if (!endRun) return;
  draft.ended = true;
  Object.assign(draft.top, { continue: false, stopReason: reason ?? '' });
}

const preTool: Rule = (draft, decision, event, context) => {
  const { verdict, reason } = verdictOf(draft, decision, context.attended);
  if (verdict !== 'observe') {
    draft.specific.permissionDecision = verdict;
    if (reason !== '') draft.specific.permissionDecisionReason = reason;
  }
  if (decision.input !== undefined) {
    if (verdict === 'deny') draft.delivered.push({ decision: 'modify', how: 'none', note: 'denied: nothing runs' });
    else {
      draft.specific.updatedInput = decision.input;
      draft.delivered.push({ decision: 'modify', how: 'now' });
    }
  }
  if (verdict === 'deny') addEnd(draft, decision);
  addContext(draft, decision, event, context);
};

const permissionRequest: Rule = (draft, decision, _event, context) => {
  // An `ask` is what Claude Code is about to do by itself, so there is nothing to say.
  if (decision.verdict === 'ask' && context.attended) {
    draft.delivered.push({ decision: 'ask', how: 'degraded', note: 'Claude Code asks by itself here, without the reason' });
    return;
  }
  const { verdict, reason } = verdictOf(draft, decision, context.attended);
  if (verdict === 'deny') {
    draft.specific.decision = { behavior: 'deny', ...(reason !== '' && { message: reason }), ...(decision.endRun && { interrupt: true }) };
    draft.ended = decision.endRun === true;
    return;
  }
  if (verdict === 'observe' && decision.input === undefined) return;
  draft.specific.decision = { behavior: 'allow', ...(decision.input !== undefined && { updatedInput: decision.input }) };
  if (decision.input !== undefined) {
    const note = verdict === 'observe' ? 'a new input is taken here only with a grant, so this grants it' : undefined;
    draft.delivered.push({ decision: 'modify', how: 'now', ...(note !== undefined && { note }) });
  }
};

/** After the tool a block undoes nothing: the model reads the reason. */
const feedback: Rule = (draft, decision) => {
  if (decision.verdict !== 'deny') return;
  Object.assign(draft.top, { decision: 'block', reason: decision.reason ?? '' });
  draft.delivered.push({ decision: 'deny', how: 'degraded', note: 'the tool has already run: the model reads the reason' });
  addEnd(draft, decision);
};

const rewrite: Rule = (draft, { output }, event) => {
  if (output === undefined) return;
  const shape = shapeOutput(isObject(event.raw) ? event.raw.tool_response : undefined, output);
  if (shape.ok) draft.specific.updatedToolOutput = shape.value;
  draft.delivered.push(shape.ok ? { decision: 'rewrite', how: 'now' } : { decision: 'rewrite', how: 'none', note: shape.note });
};

const prompt: Rule = (draft, decision, event, context) => {
  const { verdict } = decision;
  if (verdict !== 'deny' && verdict !== 'ask') return addContext(draft, decision, event, context);
  Object.assign(draft.top, { decision: 'block', reason: decision.reason ?? '' });
  const note = 'Claude Code has no question at a prompt: the person reads the reason and can send it again';
  draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note });
  if (decision.content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'denied: the model gets no prompt' });
  addEnd(draft, decision);
};

const stop: Rule = (draft, decision) => {
  addEnd(draft, decision);
  if (decision.continue === undefined) return;
  if (decision.endRun) draft.delivered.push({ decision: 'continue', how: 'none', note: 'a hook ended the run' });
  else {
    Object.assign(draft.top, { decision: 'block', reason: decision.continue });
    draft.delivered.push({ decision: 'continue', how: 'now' });
  }
};

const preCompact: Rule = (draft, decision, event, context) => {
  if (decision.verdict === 'deny') {
    Object.assign(draft.top, { decision: 'block', reason: decision.reason ?? '' });
    draft.delivered.push({ decision: 'deny', how: 'now' });
  }
  deferContext(draft, decision, event, context);
};

const all =
  (...rules: readonly Rule[]): Rule =>
  (...given) =>
    rules.forEach((rule) => {
      rule(...given);
    });

/** How each event takes a decision. What is in no rule reaches nobody, and is reported so. */
export const RULES: Partial<Record<EventName, Rule>> = {
  session_start: addContext,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: all(feedback, rewrite, addContext),
  post_tool_use_failure: all(feedback, addContext),
  permission_request: permissionRequest,
  subagent_start: addContext,
  subagent_stop: stop,
  stop,
  pre_compact: preCompact,
  post_compact: deferContext,
};
