import type { EventName, Reduced } from '@piton/contracts';
import { addContext, type Draft, deferContext, type Rule } from '../shared/answer-draft.ts';
import { nativeToolInput } from './tools.ts';

const reasonOf = ({ reason }: Reduced): string => reason?.trim() || 'denied by a hook';

function addEnd(draft: Draft, decision: Reduced): void {
  if (!decision.endRun) return;
  draft.ended = true;
  Object.assign(draft.top, { continue: false, stopReason: reasonOf(decision) });
}

const NO_QUESTION = 'Droid has no question that a hook can ask, so it became a deny';

const preTool: Rule = (draft, decision, event) => {
  const { verdict, input } = decision;
  const denied = verdict === 'deny' || verdict === 'ask';
  if (denied) {
    const reason = verdict === 'deny' ? reasonOf(decision) : `${decision.reason ?? ''} (Piton: ${NO_QUESTION})`.trim();
    Object.assign(draft.specific, { permissionDecision: 'deny', permissionDecisionReason: reason });
    draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note: NO_QUESTION });
    addEnd(draft, decision);
  }
  if (verdict === 'allow') {
    draft.specific.permissionDecision = 'allow';
    draft.delivered.push({ decision: 'allow', how: 'now' });
  }
  if (input === undefined) return;
  const native = event.tool && nativeToolInput(event.tool, input);
  if (denied) draft.delivered.push({ decision: 'modify', how: 'none', note: 'denied: nothing runs' });
  else if (native === undefined)
    draft.delivered.push({ decision: 'modify', how: 'none', note: 'a patch cannot be written anew from the view of one file' });
  else {
    draft.specific.updatedInput = native;
    draft.delivered.push({ decision: 'modify', how: 'now' });
  }
};

/** A block has no effect after the tool, so the reason goes where context goes. */
const postTool: Rule = (draft, decision) => {
  const denied = decision.verdict === 'deny';
  const texts = [...(denied ? [reasonOf(decision)] : []), ...(decision.content === undefined ? [] : [decision.content])];
  if (texts.length > 0) draft.specific.additionalContext = texts.join('\n');
  if (denied) draft.delivered.push({ decision: 'deny', how: 'degraded', note: 'the tool has already run: the model reads the reason' });
  if (decision.content !== undefined) draft.delivered.push({ decision: 'replace', how: 'now' });
  if (denied) addEnd(draft, decision);
};

/** `decision: "block"` has no effect at a prompt either. */
const prompt: Rule = (draft, decision, event, context) => {
  const { verdict } = decision;
  if (verdict !== 'deny' && verdict !== 'ask') return addContext(draft, decision, event, context);
  Object.assign(draft.top, { continue: false, stopReason: reasonOf(decision) });
  draft.ended = true; // without its prompt there is no run
  const note = 'Droid has no question at a prompt: the person reads the reason and can send it again';
  draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note });
  if (decision.content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'denied: the model gets no prompt' });
};

const stop: Rule = (draft, decision) => {
  addEnd(draft, decision);
  if (decision.continue === undefined) return;
  if (decision.endRun) draft.delivered.push({ decision: 'continue', how: 'none', note: 'a hook ended the run' });
  else {
    Object.assign(draft.top, { decision: 'block', reason: decision.continue.trim() || 'go on' });
    draft.delivered.push({ decision: 'continue', how: 'now' });
  }
};

/** How each event takes a decision. What is in no rule reaches nobody, and is reported so. */
export const RULES: Partial<Record<EventName, Rule>> = {
  session_start: addContext,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: postTool,
  stop,
  pre_compact: deferContext,
};
