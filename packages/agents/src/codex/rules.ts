import type { EventName, Reduced } from '@piton/contracts';
import { addContext as addWholeContext, asTextForModel, type Draft, deferContext, type Rule, verdictOf } from '../shared/answer-draft.ts';
import { nativeToolInput } from './tools.ts';

/** Codex counts four bytes as a token and shows the model the start and the end of what is over 2,500. */
const CONTEXT_LIMIT = 10_000;
const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** An empty reason makes a deny a failed hook, and the tool runs. */
const reasonOf = ({ reason }: Reduced): string => reason?.trim() || 'denied by a hook';

const addContext: Rule = (draft, decision, event, context) => {
  addWholeContext(draft, decision, event, context);
  if (byteLength(decision.content ?? '') <= CONTEXT_LIMIT) return;
  draft.delivered.pop();
  draft.delivered.push({
    decision: 'replace',
    how: 'degraded',
    note: `over ${CONTEXT_LIMIT} bytes: the model sees the start, the end and a file`,
  });
};

/** Where Codex can end the run. Before a tool and at a permission request the answer would be void, and the tool would run. */
function addEnd(draft: Draft, decision: Reduced): void {
  if (!decision.endRun) return;
  draft.ended = true;
  Object.assign(draft.top, { continue: false, stopReason: reasonOf(decision) });
}

const NO_QUESTION = 'Codex has no question that a hook can ask, so it became a deny';

const preTool: Rule = (draft, decision, event, context) => {
  const { verdict, input } = decision;
  const denied = verdict === 'deny' || verdict === 'ask';
  if (denied) {
    const reason = verdict === 'deny' ? reasonOf(decision) : `${decision.reason ?? ''} (Piton: ${NO_QUESTION})`.trim();
    Object.assign(draft.specific, { permissionDecision: 'deny', permissionDecisionReason: reason });
    draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note: NO_QUESTION });
  }
  if (input !== undefined) {
    const native = event.tool && nativeToolInput(event.tool, input);
    if (denied) draft.delivered.push({ decision: 'modify', how: 'none', note: 'denied: nothing runs' });
    else if (native === undefined)
      draft.delivered.push({ decision: 'modify', how: 'none', note: 'a patch cannot be written anew from the view of one file' });
    else {
      Object.assign(draft.specific, { permissionDecision: 'allow', updatedInput: native });
      draft.delivered.push({ decision: 'modify', how: 'now' });
    }
  }
  addContext(draft, decision, event, context);
};

const permissionRequest: Rule = (draft, decision, _event, { attended }) => {
  if (decision.verdict === 'ask' && attended) {
    draft.delivered.push({ decision: 'ask', how: 'degraded', note: 'Codex asks by itself here, without the reason' });
    return;
  }
  const left = verdictOf(draft, decision, attended);
  if (left.verdict === 'allow') draft.specific.decision = { behavior: 'allow' };
  if (left.verdict === 'deny') draft.specific.decision = { behavior: 'deny', message: left.reason.trim() || reasonOf(decision) };
};

/** One text takes the place of the result, whether it is a reason or another output. */
const postTool: Rule = (draft, decision, event, context) => {
  const denied = decision.verdict === 'deny';
  const texts = [...(denied ? [reasonOf(decision)] : []), ...(decision.output === undefined ? [] : [asTextForModel(decision.output)])];
  const text = texts.join('\n').trim();
  if (texts.length > 0) Object.assign(draft.top, { decision: 'block', reason: text === '' ? '(no output)' : text });
  if (denied)
    draft.delivered.push({ decision: 'deny', how: 'degraded', note: 'the tool has already run: the model reads the reason instead' });
  if (decision.output !== undefined) draft.delivered.push({ decision: 'rewrite', how: 'now' });
  addContext(draft, decision, event, context);
};

const prompt: Rule = (draft, decision, event, context) => {
  const { verdict } = decision;
  if (verdict !== 'deny' && verdict !== 'ask') return addContext(draft, decision, event, context);
  Object.assign(draft.top, { decision: 'block', reason: reasonOf(decision) });
  draft.ended = true; // without its prompt there is no run
  const note = 'Codex has no question at a prompt: the person reads the reason and can send it again';
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

const preCompact: Rule = (draft, decision, event, context) => {
  if (decision.verdict === 'deny') {
    draft.ended = true;
    Object.assign(draft.top, { continue: false, stopReason: reasonOf(decision) });
    draft.delivered.push({ decision: 'deny', how: 'degraded', note: 'the turn ends with it' });
  }
  deferContext(draft, decision, event, context);
};

const sessionStart: Rule = (draft, decision, event, context) => {
  addEnd(draft, decision);
  if (decision.endRun) draft.delivered.push({ decision: 'deny', how: 'degraded', note: 'the run ends before it begins' });
  addContext(draft, decision, event, context);
};

/** How each event takes a decision. What is in no rule reaches nobody, and is reported so. */
export const RULES: Partial<Record<EventName, Rule>> = {
  session_start: sessionStart,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: postTool,
  permission_request: permissionRequest,
  subagent_start: addContext,
  subagent_stop: stop,
  stop,
  pre_compact: preCompact,
  post_compact: deferContext,
};
