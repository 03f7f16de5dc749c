import type { CanonicalEvent, Reduced } from '@piton/contracts';
import { type Draft, emptyObjectOn, encoderOf, type Rule, ruleTable } from '../shared/answer-draft.ts';
import {
  type ActiveVerdict,
  addInput,
  addPermission,
  block,
  deferContext,
  isRefusal,
  promptRule,
  reportFeedback,
  stopRule,
  verdictOf,
} from '../shared/answer-rules.ts';
import { FEEDBACK, type Unanswered } from './capabilities.ts';
import { isKnown, isPascal } from './events.ts';
import { nativeResult } from './tool-result.ts';
import { toNativeInput } from './tools.ts';

export const noop = emptyObjectOn(isKnown);

/** Flat in both dialects: the nested form is ignored everywhere but before a tool. */
const addContext: Rule<'replace'> = (draft, { content }) => {
  if (content === undefined) return;
  draft.top.additionalContext = content;
  draft.deliver({ decision: 'replace', how: 'now' });
};

const preTool: Rule<ActiveVerdict | 'modify' | 'replace'> = (draft, decision, event, { attended }) => {
  const pascal = isPascal(event.nativeEvent);
  const answer = pascal ? draft.specific : draft.top;
  const left = grantsNothing(decision, event) ? withoutGrant(draft) : verdictOf(draft, decision, attended);
  addPermission(answer, left);
  if (decision.content !== undefined) {
    answer.additionalContext = decision.content;
    draft.deliver({ decision: 'replace', how: 'now' });
  }
  addInput(draft, decision, left.verdict === 'deny', (given) => {
    const input = event.tool && toNativeInput(event.tool, given);
    if (input === undefined) return 'a patch cannot be modified';
    answer[pascal ? 'updatedInput' : 'modifiedArgs'] = input;
    return undefined;
  });
};

/** Seen of edits and MCP tools: the permission request comes all the same. */
const grantsNothing = ({ verdict }: Reduced, { tool }: CanonicalEvent): boolean => verdict === 'allow' && tool?.kind !== 'shell';
function withoutGrant(draft: Draft<'allow'>): { verdict: Reduced['verdict']; reason: string } {
  draft.deliver({ decision: 'allow', how: 'none', note: 'only a command is granted here: allow it at permission_request' });
  return { verdict: 'observe', reason: '' };
}

/** A block would put the reason in the place of the result, and drop the context. */
const postTool: Rule<'deny' | 'rewrite' | 'replace'> = (draft, decision, event) => {
  const texts = reportFeedback(draft, decision, FEEDBACK);
  if (texts.length > 0) draft.top.additionalContext = texts.join('\n');
  if (decision.output === undefined || !/^postToolUse$/i.test(event.nativeEvent)) return;
  draft.top.modifiedResult = nativeResult(decision.output);
  draft.deliver({ decision: 'rewrite', how: 'now' });
};

/** It fires even where Copilot CLI asks nobody, so that a question can not be left to it. */
const permissionRequest: Rule<ActiveVerdict> = (draft, decision) => {
  const { verdict } = decision;
  const reason = decision.reason ?? '';
  if (verdict === 'allow') draft.top.behavior = 'allow';
  if (isRefusal(decision)) {
    Object.assign(draft.top, { behavior: 'deny', ...(reason !== '' && { message: reason }), ...(decision.endRun && { interrupt: true }) });
    draft.ended = decision.endRun === true;
  }
  if (verdict === 'ask') draft.deliver({ decision: 'ask', how: 'degraded', note: 'Copilot CLI may be set to ask nobody: a deny' });
  else if (verdict !== 'observe') draft.deliver({ decision: verdict, how: 'now' });
};

const prompt = promptRule(
  'Copilot CLI has no question at a prompt: the person reads the reason and can send it again',
  (draft, { reason = '' }) => {
    block(draft, reason);
    draft.ended = true; // nothing runs without a prompt
  },
  addContext,
);

/** It ends unless it is refused. */
const stop = stopRule(block, (draft) => {
  draft.ended = true;
});

const RULES = ruleTable<Unanswered>()({
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
});

export const encode = encoderOf({ title: 'Copilot CLI', noop, rules: RULES, addUserMessage: () => false });
