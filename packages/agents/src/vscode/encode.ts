import { type CanonicalEvent, type EncodeContext, type Encoded, type NativeAnswer, type Reduced, SILENCE } from '@piton/contracts';
import { type AnswerDialect, addContext, type Draft, deferContext, encodeWith, type Rule, verdictOf } from '../shared/answer-draft.ts';
import { FEEDBACK } from './capabilities.ts';
import { toNativeInput } from './tools.ts';

/** Only silence is documented as no opinion. */
export const noop = (): NativeAnswer => SILENCE;

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
  if (verdict === 'deny') addEnd(draft, decision);
  addContext(draft, decision, event, context);
  if (decision.input === undefined) return;
  const input = event.tool && toNativeInput(event.tool, decision.input);
  if (verdict === 'deny' || input === undefined) {
    const note = verdict === 'deny' ? 'denied: nothing runs' : 'a call on several files cannot be modified';
    return void draft.delivered.push({ decision: 'modify', how: 'none', note });
  }
  draft.specific.updatedInput = input;
  draft.delivered.push({ decision: 'modify', how: 'now' });
};

const postTool: Rule = (draft, decision, event, context) => {
  if (decision.verdict === 'deny') {
    Object.assign(draft.top, { decision: 'block', reason: decision.reason ?? '' });
    draft.delivered.push({ decision: 'deny', how: 'degraded', note: FEEDBACK });
    addEnd(draft, decision);
  }
  addContext(draft, decision, event, context);
};

const prompt: Rule = (draft, decision, event, context) => {
  const { verdict } = decision;
  if (verdict !== 'deny' && verdict !== 'ask') return addContext(draft, decision, event, context);
  Object.assign(draft.top, { decision: 'block', reason: decision.reason ?? '' });
  const note = 'VS Code has no question at a prompt: the person reads the reason and can send it again';
  draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note });
  if (decision.content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'denied: the model gets no prompt' });
  addEnd(draft, decision);
};

/** The source reads the nested form, the documentation shows both. */
const stop: Rule = (draft, decision) => {
  addEnd(draft, decision);
  if (decision.continue === undefined) return;
  if (decision.endRun) return void draft.delivered.push({ decision: 'continue', how: 'none', note: 'a hook ended the run' });
  const block = { decision: 'block', reason: decision.continue };
  Object.assign(draft.top, block);
  Object.assign(draft.specific, block);
  draft.delivered.push({ decision: 'continue', how: 'now' });
};

const dialect: AnswerDialect = {
  title: 'VS Code',
  noop,
  rules: {
    session_start: addContext,
    user_prompt_submit: prompt,
    pre_tool_use: preTool,
    post_tool_use: postTool,
    subagent_start: addContext,
    subagent_stop: stop,
    stop,
    pre_compact: deferContext,
  },
  tellPerson: () => false,
};

export const encode = (event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded =>
  encodeWith(dialect, event, decision, context);
