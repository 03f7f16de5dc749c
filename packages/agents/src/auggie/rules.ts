import { type Rule, ruleTable } from '../shared/answer-draft.ts';
import { addDeny, addInput, isRefusal, reasonOf, reportFeedback } from '../shared/answer-rules.ts';
import { fieldsOf } from '../shared/json-fields.ts';
import { AFTER_A_TOOL, FEEDBACK, NO_QUESTION, type Unanswered, type Untaken } from './capabilities.ts';
import { nativeToolInput } from './native-input.ts';

/** The end of a tool call is the one place where it takes context. */
const afterATool: Rule<'replace'> = (draft, { content }) => {
  if (content === undefined) return;
  draft.deferred = content;
  draft.deliver({ decision: 'replace', how: 'deferred', note: `until ${AFTER_A_TOOL.until}` });
};

const preTool: Rule<'ask' | 'deny' | 'modify' | 'replace'> = (draft, decision, event, context) => {
  const denied = isRefusal(decision);
  if (denied) addDeny(draft, decision, NO_QUESTION);
  addInput(draft, decision, denied, (input) => {
    const updatedInput = event.tool && nativeToolInput(event.tool, input, fieldsOf(fieldsOf(event.raw).tool_input));
    if (updatedInput === undefined) return 'this call cannot be written anew from the view of its files';
    draft.specific.updatedInput = updatedInput;
    return undefined;
  });
  afterATool(draft, decision, event, context);
};

/** A block after a tool has no effect: what a hook has to say stands after the result. */
const postTool: Rule<'deny' | 'replace'> = (draft, decision) => {
  const texts = reportFeedback(draft, { ...decision, reason: reasonOf(decision) }, FEEDBACK);
  if (texts.length > 0) draft.specific.additionalContext = texts.join('\n');
};

export const RULES = ruleTable<Unanswered, Untaken>()({
  session_start: afterATool,
  user_prompt_submit: afterATool,
  pre_tool_use: preTool,
  post_tool_use: postTool,
  post_tool_use_failure: postTool,
});
