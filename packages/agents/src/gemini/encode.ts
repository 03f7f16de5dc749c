import { type Draft, emptyObjectOn, encoderOf, type Rule, ruleTable } from '../shared/answer-draft.ts';
import {
  type ActiveVerdict,
  addContext,
  addEnd,
  addInput,
  asTextForModel,
  deferContext,
  promptRule,
  reportFeedback,
  stopRule,
  verdictOf,
} from '../shared/answer-rules.ts';
import { FEEDBACK, REWRITTEN, type Unanswered, type Untaken } from './capabilities.ts';
import { isKnown } from './events.ts';
import { toNativeInput } from './tools.ts';

/** Never nothing: with an empty stdout Gemini CLI reads stderr in its place. */
export const noop = emptyObjectOn(isKnown);

/** It says `stopReason` before `reason`, so at the end of a run both hold the same. */
const deny = (draft: Draft, reason: string): void => void Object.assign(draft.top, { decision: 'deny', reason });

const preTool: Rule<ActiveVerdict | 'modify'> = (draft, decision, event, { attended }) => {
  const allowed = decision.verdict === 'allow';
  const { verdict, reason } = allowed ? { verdict: 'observe', reason: '' } : verdictOf(draft, decision, attended);
  if (verdict === 'deny') {
    deny(draft, reason);
    addEnd(draft, decision);
  }
  // The dialog shows the message, not the reason.
  if (verdict === 'ask') Object.assign(draft.top, { decision: 'ask', reason, systemMessage: reason });
  addInput(draft, decision, verdict === 'deny', (input) => {
    draft.specific.tool_input = toNativeInput(event.tool?.nativeName ?? '', input);
    return undefined;
  });
};

/** A block replaces the result, so it is for `rewrite` alone; what a hook has to say stands after the result. */
const postTool: Rule<'deny' | 'rewrite' | 'replace'> = (draft, decision) => {
  const { output } = decision;
  const texts = reportFeedback(draft, decision, FEEDBACK);
  if (decision.endRun) {
    if (output !== undefined) draft.deliver({ decision: 'rewrite', how: 'none', note: 'a hook ended the run' });
    return addEnd(draft, decision, texts.join('\n'));
  }
  if (output !== undefined) {
    deny(draft, [asTextForModel(output), ...texts].join('\n'));
    draft.deliver({ decision: 'rewrite', how: 'degraded', note: REWRITTEN });
  } else if (texts.length > 0) draft.specific.additionalContext = texts.join('\n');
};

const prompt = promptRule(
  'Gemini CLI has no question at a prompt: the person reads the reason and can send it again',
  (draft, decision) => {
    deny(draft, decision.reason ?? '');
    addEnd(draft, decision);
  },
);

const RULES = ruleTable<Unanswered, Untaken>()({
  session_start: addContext,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: postTool,
  post_tool_use_failure: postTool,
  stop: stopRule(deny),
  pre_compact: deferContext,
});

export const encode = encoderOf({
  title: 'Gemini CLI',
  noop,
  rules: RULES,
  addUserMessage(draft, message, { nativeEvent }) {
    if (!isKnown(nativeEvent)) return false;
    const { systemMessage } = draft.top;
    draft.top.systemMessage = typeof systemMessage === 'string' ? `${systemMessage}\n${message}` : message;
    return true;
  },
});
