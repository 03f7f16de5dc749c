import type { Reduced } from '@piton/contracts';
import { type Draft, emptyObjectOn, encoderOf, type Rule, ruleTable } from '../shared/answer-draft.ts';
import { addInput, asTextForModel, deferContext, isRefusal, promptRule, reportRefusal, stopRule } from '../shared/answer-rules.ts';
import { CONTEXT_LIMIT, FEEDBACK, NO_QUESTION, type Unanswered, type Untaken } from './capabilities.ts';
import { isKnown } from './events.ts';
import { toNativeInput } from './tools.ts';

/** Never nothing, and never text: where a permission is at stake, what cannot be read blocks. */
export const noop = emptyObjectOn(isKnown);

const context: Rule<'replace'> = (draft, { content }) => {
  if (content === undefined) return;
  draft.top.additional_context = content;
  draft.deliver({ decision: 'replace', how: 'now' });
};

/** The model reads the message for the person. */
function refuse(draft: Draft<'ask' | 'deny'>, decision: Reduced, noQuestion: string): void {
  Object.assign(draft.top, { permission: 'deny', ...messageOf(decision) });
  reportRefusal(draft, decision, noQuestion);
}
const messageOf = ({ reason }: Reduced) => reason && { user_message: reason };

const preTool: Rule<'ask' | 'deny' | 'modify' | 'replace'> = (draft, decision, event, given) => {
  if (isRefusal(decision)) {
    refuse(draft, decision, NO_QUESTION);
    if (decision.reason) draft.top.agent_message = decision.reason;
  }
  context(draft, decision, event, given);
  addInput(draft, decision, isRefusal(decision), (given) => {
    const input = event.tool && toNativeInput(event.tool, given);
    if (input === undefined) return 'the content of a file cannot be changed';
    // Documented together with this permission, which skips no question of Cursor's own.
    Object.assign(draft.top, { permission: 'allow', updated_input: input });
    return undefined;
  });
};

const subagentStart: Rule<'ask' | 'deny'> = (draft, decision) => {
  if (isRefusal(decision)) refuse(draft, decision, 'Cursor takes only allow and deny here');
};

const postTool: Rule<'deny' | 'rewrite' | 'replace'> = (draft, decision, event, given) => {
  const { verdict, reason, content, output } = decision;
  const said = [verdict === 'deny' ? reason : undefined, content].filter((text) => text !== undefined).join('\n');
  if (verdict === 'deny') draft.deliver({ decision: 'deny', how: 'degraded', note: FEEDBACK });
  if (content !== undefined) context(draft, decision, event, given);
  // With the reason it may be longer than what was cut to fit.
  if (said !== '') draft.top.additional_context = said.slice(0, CONTEXT_LIMIT);
  if (output === undefined || event.nativeEvent !== 'postToolUse' || event.tool?.kind !== 'mcp') return;
  draft.top.updated_mcp_tool_output = { content: [{ type: 'text', text: asTextForModel(output) }] };
  draft.deliver({ decision: 'rewrite', how: 'now' });
};

const prompt = promptRule(
  'Cursor has no question at a prompt: the person reads the reason and can send it again',
  (draft, decision) => {
    Object.assign(draft.top, { continue: false, ...messageOf(decision) });
    draft.ended = true; // nothing runs without a prompt
  },
  (draft, decision, event, given) => {
    if (decision.content !== undefined) draft.top.continue = true;
    context(draft, decision, event, given);
  },
);

/** It ends unless it is refused. */
const stop = stopRule(
  (draft, reason) => {
    draft.top.followup_message = reason;
  },
  (draft) => {
    draft.ended = true;
  },
);

/** Where the message is documented and reaches no model. */
const SHOWN: ReadonlySet<string> = new Set(['sessionStart', 'beforeSubmitPrompt', 'preCompact']);

const RULES = ruleTable<Unanswered, Untaken>()({
  session_start: context,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: postTool,
  post_tool_use_failure: postTool,
  subagent_start: subagentStart,
  subagent_stop: stop,
  stop,
  pre_compact: deferContext,
});

export const encode = encoderOf({
  title: 'Cursor',
  noop,
  rules: RULES,
  addUserMessage(draft, message, { nativeEvent }) {
    if (!SHOWN.has(nativeEvent)) return false;
    const { user_message } = draft.top;
    draft.top.user_message = typeof user_message === 'string' ? `${user_message}\n${message}` : message;
    return true;
  },
});
