import type { CanonicalEvent, Reduced } from '@piton/contracts';
import { type Draft, type Rule, ruleTable } from '../shared/answer-draft.ts';
import {
  type ActiveVerdict,
  addContext,
  addEnd,
  addInput,
  addPermission,
  block,
  promptRule,
  reasonOf,
  reportFeedback,
  stopRule,
  verdictOf,
} from '../shared/answer-rules.ts';
import { fieldsOf } from '../shared/json-fields.ts';
import { AT_A_TOOL, FEEDBACK, type Unanswered, type Untaken } from './capabilities.ts';
import { nativeResult } from './tool-result.ts';
import { toNativeInput } from './tools.ts';

/** Where everything is approved, a question is approved as well, without anybody. */
const asks = ({ raw }: CanonicalEvent, attended: boolean): boolean => attended && fieldsOf(raw).permissionMode !== 'bypassPermissions';

/** Neither the start nor a prompt takes context: it waits for a tool. */
const untilATool: Rule<'replace'> = (draft, { content }) => {
  if (content === undefined) return;
  draft.deferred = content;
  draft.deliver({ decision: 'replace', how: 'deferred', note: `until ${AT_A_TOOL.until}` });
};

const preTool: Rule<Exclude<ActiveVerdict, 'allow'> | 'modify' | 'replace'> = (draft, decision, event, { attended }) => {
  // `allow` says only that this hook has nothing against the call, as silence does.
  const given: Reduced = decision.verdict === 'allow' ? { ...decision, verdict: 'observe' } : decision;
  const left = verdictOf(draft as Draft<ActiveVerdict>, given, asks(event, attended));
  const denied = left.verdict === 'deny';
  addPermission(draft.specific, denied ? { ...left, reason: reasonOf(left) } : left);
  // 1.0.5 reads this form alone, 1.0.41 takes either.
  if (denied) Object.assign(draft.top, { decision: 'deny', reason: reasonOf(left) });
  addInput(draft, decision, denied, (input) => {
    if (event.tool === undefined) return 'the tool could not be read';
    draft.specific.updatedInput = toNativeInput(event.tool, input, fieldsOf(fieldsOf(event.raw).toolInput));
    return undefined;
  });
  // With a call that is denied its context is dropped.
  (denied ? untilATool : addContext)(draft, decision, event, { attended });
};

/** A block beside the result and a note say the same to the model; after a failure only the note arrives. */
const postTool: Rule<'deny' | 'replace'> = (draft, decision) => {
  const texts = reportFeedback(draft, { ...decision, reason: reasonOf(decision) }, FEEDBACK);
  if (texts.length > 0) draft.specific.additionalContext = texts.join('\n');
};

const rewrite: Rule<'rewrite'> = (draft, { output }, { raw }) => {
  if (output === undefined) return;
  const result = nativeResult(fieldsOf(raw).toolResult, output);
  if (result.ok) draft.specific.updatedToolOutput = result.value;
  draft.deliver(result.ok ? { decision: 'rewrite', how: 'now' } : { decision: 'rewrite', how: 'none', note: result.note });
};

const afterTool: Rule<'deny' | 'replace' | 'rewrite'> = (...given) => {
  postTool(...given);
  rewrite(...given);
};

const prompt = promptRule(
  'Grok Build has no question at a prompt: the person reads the reason and can send it again',
  (draft, decision) => {
    draft.ended = true;
    block(draft, reasonOf(decision));
  },
  untilATool,
);

/** An empty reason would be no feedback at all. */
const stop = stopRule(
  (draft, reason) => block(draft, reason.trim() || 'go on'),
  (draft, decision) => addEnd(draft, decision, reasonOf(decision)),
);

export const RULES = ruleTable<Unanswered, Untaken>()({
  session_start: untilATool,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: afterTool,
  post_tool_use_failure: postTool,
  subagent_stop: stop,
  stop,
  pre_compact: untilATool,
  post_compact: untilATool,
});
