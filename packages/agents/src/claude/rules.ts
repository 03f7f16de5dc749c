import type { ActiveDecision } from '@piton/contracts';
import { type Rule, ruleTable } from '../shared/answer-draft.ts';
import {
  type ActiveVerdict,
  addContext,
  addEnd,
  addInput,
  addPermission,
  block,
  blockFeedback,
  deferContext,
  permissionRule,
  promptRule,
  stopRule,
  verdictOf,
} from '../shared/answer-rules.ts';
import { isObject } from '../shared/json-fields.ts';
import type { Unanswered } from './capabilities.ts';
import { shapeOutput } from './tool-output.ts';

const preTool: Rule<ActiveVerdict | 'modify' | 'replace'> = (draft, decision, event, context) => {
  const left = verdictOf(draft, decision, context.attended);
  const denied = left.verdict === 'deny';
  addPermission(draft.specific, left);
  addInput(draft, decision, denied, (input) => {
    draft.specific.updatedInput = input;
    return undefined;
  });
  if (denied) addEnd(draft, decision);
  addContext(draft, decision, event, context);
};

const permissionRequest = permissionRule({
  title: 'Claude Code',
  denial: (reason) => (reason === '' ? {} : { message: reason }),
  nativeInput: (_, input) => input,
});

const feedback = blockFeedback('the tool has already run: the model reads the reason');

const rewrite: Rule<'rewrite'> = (draft, { output }, event) => {
  if (output === undefined) return;
  const shape = shapeOutput(isObject(event.raw) ? event.raw.tool_response : undefined, output);
  if (shape.ok) draft.specific.updatedToolOutput = shape.value;
  draft.deliver(shape.ok ? { decision: 'rewrite', how: 'now' } : { decision: 'rewrite', how: 'none', note: shape.note });
};

const prompt = promptRule(
  'Claude Code has no question at a prompt: the person reads the reason and can send it again',
  (draft, decision) => {
    block(draft, decision.reason ?? '');
    addEnd(draft, decision);
  },
  addContext,
);

const stop = stopRule(block);

const preCompact: Rule<'deny' | 'replace'> = (draft, decision, event, context) => {
  if (decision.verdict === 'deny') {
    block(draft, decision.reason ?? '');
    draft.deliver({ decision: 'deny', how: 'now' });
  }
  deferContext(draft, decision, event, context);
};

const all =
  <Kinds extends ActiveDecision>(...rules: readonly Rule<Kinds>[]): Rule<Kinds> =>
  (...given) =>
    rules.forEach((rule) => {
      rule(...given);
    });

export const RULES = ruleTable<Unanswered>()({
  session_start: addContext,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  post_tool_use: all(feedback, rewrite, addContext),
  post_tool_use_failure: all(feedback, addContext),
  permission_request: permissionRequest,
  subagent_start: addContext,
  subagent_stop: stop,
  stop,
  pre_compact: preCompact,
  post_compact: deferContext,
});
