import { type Rule, ruleTable } from '../shared/answer-draft.ts';
import {
  type ActiveVerdict,
  addContext,
  addDeny,
  addEnd,
  addInput,
  asTextForModel,
  block,
  deferContext,
  isAskedAnyway,
  isRefusal,
  promptRule,
  reasonOf,
  stopRule,
  verdictOf,
} from '../shared/answer-rules.ts';
import type { Unanswered } from './capabilities.ts';
import { nativeToolInput } from './tools.ts';

const NO_QUESTION = 'Codex has no question that a hook can ask, so it became a deny';

/** The run cannot be ended here: the answer would be void, and the tool would run. The same at a permission request. */
const preTool: Rule<'ask' | 'deny' | 'modify' | 'replace'> = (draft, decision, event, context) => {
  const denied = isRefusal(decision);
  if (denied) addDeny(draft, decision, NO_QUESTION);
  addInput(draft, decision, denied, (input) => {
    const updatedInput = event.tool && nativeToolInput(event.tool, input);
    if (updatedInput === undefined) return 'a patch cannot be written anew from the view of one file';
    Object.assign(draft.specific, { permissionDecision: 'allow', updatedInput });
    return undefined;
  });
  addContext(draft, decision, event, context);
};

const permissionRequest: Rule<ActiveVerdict> = (draft, decision, _event, { attended }) => {
  if (isAskedAnyway(draft, decision, attended, 'Codex')) return;
  const left = verdictOf(draft, decision, attended);
  if (left.verdict === 'allow') draft.specific.decision = { behavior: 'allow' };
  if (left.verdict === 'deny') draft.specific.decision = { behavior: 'deny', message: left.reason.trim() || reasonOf(decision) };
};

/** One text takes the place of the result, whether it is a reason or another output. */
const postTool: Rule<'deny' | 'rewrite' | 'replace'> = (draft, decision, event, context) => {
  const denied = decision.verdict === 'deny';
  const texts = [...(denied ? [reasonOf(decision)] : []), ...(decision.output === undefined ? [] : [asTextForModel(decision.output)])];
  if (texts.length > 0) block(draft, texts.join('\n').trim() || '(no output)');
  if (denied) draft.deliver({ decision: 'deny', how: 'degraded', note: 'the tool has already run: the model reads the reason instead' });
  if (decision.output !== undefined) draft.deliver({ decision: 'rewrite', how: 'now' });
  addContext(draft, decision, event, context);
};

const prompt = promptRule(
  'Codex has no question at a prompt: the person reads the reason and can send it again',
  (draft, decision) => {
    block(draft, reasonOf(decision));
    draft.ended = true; // without its prompt there is no run
  },
  addContext,
);

const stop = stopRule(
  (draft, reason) => block(draft, reason.trim() || 'go on'),
  (draft, decision) => addEnd(draft, decision, reasonOf(decision)),
);

const preCompact: Rule<'deny' | 'replace'> = (draft, decision, event, context) => {
  if (decision.verdict === 'deny') {
    addEnd(draft, { ...decision, endRun: true }, reasonOf(decision));
    draft.deliver({ decision: 'deny', how: 'degraded', note: 'the turn ends with it' });
  }
  deferContext(draft, decision, event, context);
};

const sessionStart: Rule<'deny' | 'replace'> = (draft, decision, event, context) => {
  addEnd(draft, decision, reasonOf(decision));
  if (decision.endRun) draft.deliver({ decision: 'deny', how: 'degraded', note: 'the run ends before it begins' });
  addContext(draft, decision, event, context);
};

export const RULES = ruleTable<Unanswered>()({
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
});
