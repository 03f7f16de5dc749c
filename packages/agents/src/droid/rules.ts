import type { Reduced } from '@piton/contracts';
import { type Draft, type Rule, ruleTable } from '../shared/answer-draft.ts';
import {
  type ActiveVerdict,
  addContext,
  addDeny,
  addEnd,
  addInput,
  block,
  deferContext,
  isRefusal,
  promptRule,
  reasonOf,
  reportFeedback,
  stopRule,
} from '../shared/answer-rules.ts';
import type { Unanswered, Untaken } from './capabilities.ts';
import { nativeToolInput } from './tools.ts';

const NO_QUESTION = 'Droid has no question that a hook can ask, so it became a deny';

const end = (draft: Draft, decision: Reduced): void => addEnd(draft, decision, reasonOf(decision));

const preTool: Rule<ActiveVerdict | 'modify'> = (draft, decision, event) => {
  const denied = isRefusal(decision);
  if (denied) {
    addDeny(draft, decision, NO_QUESTION);
    end(draft, decision);
  }
  if (decision.verdict === 'allow') {
    draft.specific.permissionDecision = 'allow';
    draft.deliver({ decision: 'allow', how: 'now' });
  }
  addInput(draft, decision, denied, (input) => {
    const updatedInput = event.tool && nativeToolInput(event.tool, input);
    if (updatedInput === undefined) return 'a patch cannot be written anew from the view of one file';
    draft.specific.updatedInput = updatedInput;
    return undefined;
  });
};

/** A block has no effect after the tool, so the reason goes where context goes. */
const postTool: Rule<'deny' | 'replace'> = (draft, decision) => {
  const note = 'the tool has already run: the model reads the reason';
  const texts = reportFeedback(draft, { ...decision, reason: reasonOf(decision) }, note);
  if (texts.length > 0) draft.specific.additionalContext = texts.join('\n');
  if (decision.verdict === 'deny') end(draft, decision);
};

/** `decision: "block"` has no effect at a prompt either; without its prompt there is no run. */
const prompt = promptRule('Droid has no question at a prompt: the person reads the reason and can send it again', (draft, decision) =>
  end(draft, { ...decision, endRun: true }),
);

const stop = stopRule((draft, reason) => block(draft, reason.trim() || 'go on'), end);

export const RULES = ruleTable<Unanswered, Untaken>()({
  session_start: addContext,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: postTool,
  stop,
  pre_compact: deferContext,
});
