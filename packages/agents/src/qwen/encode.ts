import { type Draft, emptyObjectOn, encoderOf, type Rule, ruleTable, systemMessageOn } from '../shared/answer-draft.ts';
import {
  type ActiveVerdict,
  addContext,
  asTextForModel,
  block,
  deferContext,
  isRefusal,
  permissionRule,
  promptRule,
  reportFeedback,
  stopRule,
  verdictOf,
} from '../shared/answer-rules.ts';
import { FEEDBACK, REWRITTEN, type Unanswered } from './capabilities.ts';
import { isKnown } from './events.ts';
import { toNativeInput } from './tools.ts';

export const noop = emptyObjectOn(isKnown);

/** `continue: false` never ends a run here; before a tool it refuses, and no other hook's `allow` takes that back. */
const refuse = (draft: Draft, reason: string): void => void Object.assign(draft.top, { continue: false, stopReason: reason });

const preTool: Rule<ActiveVerdict> = (draft, decision, _event, { attended }) => {
  if (!isRefusal(decision)) return;
  const { verdict, reason } = verdictOf(draft, decision, attended);
  Object.assign(draft.specific, { permissionDecision: verdict, permissionDecisionReason: reason });
  if (verdict === 'deny') refuse(draft, reason);
};

const permissionRequest = permissionRule({
  title: 'Qwen Code',
  denial: (message) => ({ message }),
  nativeInput: ({ tool }, input) => toNativeInput(tool?.nativeName ?? '', input),
});

/** A block has no effect after a tool: what a hook has to say stands after the result, or in its place. */
const postTool =
  (rewrites: boolean): Rule<'deny' | 'rewrite' | 'replace'> =>
  (draft, decision) => {
    const texts = reportFeedback(draft, decision, FEEDBACK);
    if (rewrites && decision.output !== undefined) {
      refuse(draft, [asTextForModel(decision.output), ...texts].join('\n'));
      draft.deliver({ decision: 'rewrite', how: 'degraded', note: REWRITTEN });
    } else if (texts.length > 0) draft.specific.additionalContext = texts.join('\n');
  };

const prompt = promptRule('Qwen Code has no question at a prompt: the person can send it again', (draft, { reason = '' }) => {
  block(draft, reason);
  draft.ended = true; // without a prompt there is no run
});

/** `continue: false` would do the opposite here: it is never sent. */
const stop = stopRule(block, (draft, { endRun }) => {
  if (endRun) draft.ended = true;
});

/** After a compaction nobody reads what is said at this event. */
const sessionStart: Rule<'replace'> = (...given) => (given[2].source === 'compact' ? deferContext(...given) : addContext(...given));

/** Nobody reads what a hook prints there. */
const UNREAD = /^(?:SessionEnd|SessionDelete|StopFailure|MessageDisplay|PermissionDenied|InstructionsLoaded)$/;

const RULES = ruleTable<Unanswered>()({
  session_start: sessionStart,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: postTool(true),
  post_tool_use_failure: postTool(false),
  permission_request: permissionRequest,
  subagent_stop: stop,
  stop,
  pre_compact: deferContext,
  post_compact: deferContext,
});

export const encode = encoderOf({
  title: 'Qwen Code',
  noop,
  rules: RULES,
  addUserMessage: systemMessageOn((nativeEvent) => isKnown(nativeEvent) && !UNREAD.test(nativeEvent)),
});
