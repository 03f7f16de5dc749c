import { type CanonicalEvent, type EncodeContext, type Encoded, type NativeAnswer, type Reduced, SILENCE } from '@piton/contracts';
import { type AnswerDialect, type Draft, deferContext, encodeWith, type Rule, verdictOf } from '../shared/answer-draft.ts';
import { FEEDBACK } from './capabilities.ts';
import { isKnown, isPascal } from './events.ts';
import { nativeResult } from './tool-result.ts';
import { toNativeInput } from './tools.ts';

export function noop(nativeEvent: string): NativeAnswer {
  return isKnown(nativeEvent) ? { ...SILENCE, stdout: '{}' } : SILENCE;
}

/** Flat in both dialects: the nested form is ignored everywhere but before a tool. */
const addContext: Rule = (draft, { content }) => {
  if (content === undefined) return;
  draft.top.additionalContext = content;
  draft.delivered.push({ decision: 'replace', how: 'now' });
};

const preTool: Rule = (draft, decision, event, { attended }) => {
  const pascal = isPascal(event.nativeEvent);
  const answer = pascal ? draft.specific : draft.top;
  const { verdict, reason } = grantsNothing(decision, event) ? withoutGrant(draft) : verdictOf(draft, decision, attended);
  if (verdict !== 'observe') {
    answer.permissionDecision = verdict;
    if (reason !== '') answer.permissionDecisionReason = reason;
  }
  if (decision.content !== undefined) {
    answer.additionalContext = decision.content;
    draft.delivered.push({ decision: 'replace', how: 'now' });
  }
  if (decision.input === undefined) return;
  const input = event.tool && toNativeInput(event.tool, decision.input);
  if (verdict === 'deny' || input === undefined) {
    const note = verdict === 'deny' ? 'denied: nothing runs' : 'a patch cannot be modified';
    return void draft.delivered.push({ decision: 'modify', how: 'none', note });
  }
  answer[pascal ? 'updatedInput' : 'modifiedArgs'] = input;
  draft.delivered.push({ decision: 'modify', how: 'now' });
};

/** Seen of edits and MCP tools: the permission request comes all the same. */
const grantsNothing = ({ verdict }: Reduced, { tool }: CanonicalEvent): boolean => verdict === 'allow' && tool?.kind !== 'shell';
function withoutGrant(draft: Draft): { verdict: Reduced['verdict']; reason: string } {
  draft.delivered.push({ decision: 'allow', how: 'none', note: 'only a command is granted here: allow it at permission_request' });
  return { verdict: 'observe', reason: '' };
}

/** A block would put the reason in the place of the result, and drop the context. */
const postTool: Rule = (draft, { verdict, reason, content, output }, event) => {
  const said = [verdict === 'deny' ? reason : undefined, content].filter((text) => text !== undefined);
  if (said.length > 0) draft.top.additionalContext = said.join('\n');
  if (verdict === 'deny') draft.delivered.push({ decision: 'deny', how: 'degraded', note: FEEDBACK });
  if (content !== undefined) draft.delivered.push({ decision: 'replace', how: 'now' });
  if (output === undefined || !/^postToolUse$/i.test(event.nativeEvent)) return;
  draft.top.modifiedResult = nativeResult(output);
  draft.delivered.push({ decision: 'rewrite', how: 'now' });
};

/** It fires even where Copilot CLI asks nobody, so that a question can not be left to it. */
const permissionRequest: Rule = (draft, decision) => {
  const { verdict } = decision;
  const reason = decision.reason ?? '';
  if (verdict === 'allow') draft.top.behavior = 'allow';
  if (verdict === 'deny' || verdict === 'ask') {
    Object.assign(draft.top, { behavior: 'deny', ...(reason !== '' && { message: reason }), ...(decision.endRun && { interrupt: true }) });
    draft.ended = decision.endRun === true;
  }
  if (verdict === 'ask') draft.delivered.push({ decision: 'ask', how: 'degraded', note: 'Copilot CLI may be set to ask nobody: a deny' });
  else if (verdict !== 'observe') draft.delivered.push({ decision: verdict, how: 'now' });
};

const prompt: Rule = (draft, decision, event, context) => {
  const { verdict } = decision;
  if (verdict !== 'deny' && verdict !== 'ask') return addContext(draft, decision, event, context);
  block(draft, decision.reason ?? '');
  draft.ended = true; // nothing runs without a prompt
  const note = 'Copilot CLI has no question at a prompt: the person reads the reason and can send it again';
  draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note });
  if (decision.content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'denied: the model gets no prompt' });
};

const stop: Rule = (draft, decision: Reduced) => {
  draft.ended = true; // it ends unless it is refused
  if (decision.continue === undefined) return;
  if (decision.endRun) return void draft.delivered.push({ decision: 'continue', how: 'none', note: 'a hook ended the run' });
  block(draft, decision.continue);
  draft.delivered.push({ decision: 'continue', how: 'now' });
};

function block(draft: Draft, reason: string): void {
  Object.assign(draft.top, { decision: 'block', reason });
}

const dialect: AnswerDialect = {
  title: 'Copilot CLI',
  noop,
  rules: {
    session_start: addContext,
    user_prompt_submit: prompt,
    pre_tool_use: preTool,
    post_tool_use: postTool,
    post_tool_use_failure: postTool,
    permission_request: permissionRequest,
    subagent_start: addContext,
    subagent_stop: stop,
    stop,
    pre_compact: deferContext,
  },
  tellPerson: () => false,
};

export const encode = (event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded =>
  encodeWith(dialect, event, decision, context);
