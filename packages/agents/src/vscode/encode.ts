import { type NativeAnswer, SILENCE } from '@piton/contracts';
import { encoderOf, type Rule, ruleTable } from '../shared/answer-draft.ts';
import {
  type ActiveVerdict,
  addContext,
  addEnd,
  addInput,
  addPermission,
  block,
  blockFeedback,
  deferContext,
  promptRule,
  stopRule,
  verdictOf,
} from '../shared/answer-rules.ts';
import { FEEDBACK, type Unanswered, type Untaken } from './capabilities.ts';
import { toNativeInput } from './tools.ts';

/** Only silence is documented as no opinion. */
export const noop = (): NativeAnswer => SILENCE;

const preTool: Rule<ActiveVerdict | 'modify' | 'replace'> = (draft, decision, event, context) => {
  const left = verdictOf(draft, decision, context.attended);
  const denied = left.verdict === 'deny';
  addPermission(draft.specific, left);
  if (denied) addEnd(draft, decision);
  addContext(draft, decision, event, context);
  addInput(draft, decision, denied, (input) => {
    const updatedInput = event.tool && toNativeInput(event.tool, input);
    if (updatedInput === undefined) return 'a call on several files cannot be modified';
    draft.specific.updatedInput = updatedInput;
    return undefined;
  });
};

const feedback = blockFeedback(FEEDBACK);

const postTool: Rule<'deny' | 'replace'> = (...given) => {
  feedback(...given);
  addContext(...given);
};

const prompt = promptRule('VS Code has no question at a prompt: the person reads the reason and can send it again', (draft, decision) => {
  block(draft, decision.reason ?? '');
  addEnd(draft, decision);
});

/** The source reads the nested form, the documentation shows both. */
const stop = stopRule((draft, reason) => {
  block(draft, reason);
  Object.assign(draft.specific, { decision: 'block', reason });
});

const RULES = ruleTable<Unanswered, Untaken>()({
  session_start: addContext,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: postTool,
  subagent_start: addContext,
  subagent_stop: stop,
  stop,
  pre_compact: deferContext,
});

export const encode = encoderOf({ title: 'VS Code', noop, rules: RULES, addUserMessage: () => false });
