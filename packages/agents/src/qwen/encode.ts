import { type CanonicalEvent, type EncodeContext, type Encoded, type NativeAnswer, type Reduced, SILENCE } from '@piton/contracts';
import {
  type AnswerDialect,
  addContext,
  asTextForModel,
  type Draft,
  deferContext,
  encodeWith,
  type Rule,
  verdictOf,
} from '../shared/answer-draft.ts';
import { FEEDBACK, REWRITTEN } from './capabilities.ts';
import { isKnown } from './events.ts';
import { toNativeInput } from './tools.ts';

export function noop(nativeEvent: string): NativeAnswer {
  return isKnown(nativeEvent) ? { ...SILENCE, stdout: '{}' } : SILENCE;
}

/** `continue: false` never ends a run here; before a tool it refuses, and no other hook's `allow` takes that back. */
const refuse = (draft: Draft, reason: string): void => void Object.assign(draft.top, { continue: false, stopReason: reason });

const preTool: Rule = (draft, decision, _event, { attended }) => {
  if (decision.verdict === 'allow' || decision.verdict === 'observe') return;
  const { verdict, reason } = verdictOf(draft, decision, attended);
  Object.assign(draft.specific, { permissionDecision: verdict, permissionDecisionReason: reason });
  if (verdict === 'deny') refuse(draft, reason);
};

const permissionRequest: Rule = (draft, decision, event, { attended }) => {
  // An `ask` is what Qwen Code is about to do by itself, so there is nothing to say.
  if (decision.verdict === 'ask' && attended) {
    draft.delivered.push({ decision: 'ask', how: 'degraded', note: 'Qwen Code asks by itself here, without the reason' });
    return;
  }
  const { verdict, reason } = verdictOf(draft, decision, attended);
  if (verdict === 'deny') {
    draft.specific.decision = { behavior: 'deny', message: reason, ...(decision.endRun && { interrupt: true }) };
    draft.ended = decision.endRun === true;
    return;
  }
  if (verdict === 'observe' && decision.input === undefined) return;
  const updatedInput = decision.input && toNativeInput(event.tool?.nativeName ?? '', decision.input);
  draft.specific.decision = { behavior: 'allow', ...(updatedInput !== undefined && { updatedInput }) };
  if (updatedInput === undefined) return;
  const note = verdict === 'observe' ? 'a new input is taken here only with a grant, so this grants it' : undefined;
  draft.delivered.push({ decision: 'modify', how: 'now', ...(note !== undefined && { note }) });
};

/** A block has no effect after a tool: what a hook has to say stands after the result, or in its place. */
const postTool =
  (rewrites: boolean): Rule =>
  (draft, { verdict, reason, content, output }) => {
    const said = [verdict === 'deny' ? reason : undefined, content].filter((text) => text !== undefined);
    if (verdict === 'deny') draft.delivered.push({ decision: 'deny', how: 'degraded', note: FEEDBACK });
    if (content !== undefined) draft.delivered.push({ decision: 'replace', how: 'now' });
    if (rewrites && output !== undefined) {
      refuse(draft, [asTextForModel(output), ...said].join('\n'));
      draft.delivered.push({ decision: 'rewrite', how: 'degraded', note: REWRITTEN });
    } else if (said.length > 0) draft.specific.additionalContext = said.join('\n');
  };

const prompt: Rule = (draft, decision, event, context) => {
  const { verdict } = decision;
  if (verdict !== 'deny' && verdict !== 'ask') return addContext(draft, decision, event, context);
  Object.assign(draft.top, { decision: 'block', reason: decision.reason ?? '' });
  draft.ended = true; // without a prompt there is no run
  const note = 'Qwen Code has no question at a prompt: the person can send it again';
  draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note });
  if (decision.content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'denied: the model gets no prompt' });
};

/** `continue: false` would do the opposite here: it is never sent. */
const stop: Rule = (draft, decision) => {
  if (decision.endRun) draft.ended = true;
  if (decision.continue === undefined) return;
  if (decision.endRun) draft.delivered.push({ decision: 'continue', how: 'none', note: 'a hook ended the run' });
  else {
    Object.assign(draft.top, { decision: 'block', reason: decision.continue });
    draft.delivered.push({ decision: 'continue', how: 'now' });
  }
};

/** After a compaction nobody reads what is said at this event. */
const sessionStart: Rule = (...given) => (given[2].source === 'compact' ? deferContext(...given) : addContext(...given));

/** Nobody reads what a hook prints there. */
const UNREAD = /^(?:SessionEnd|SessionDelete|StopFailure|MessageDisplay|PermissionDenied|InstructionsLoaded)$/;

const dialect: AnswerDialect = {
  title: 'Qwen Code',
  noop,
  rules: {
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
  },
  tellPerson(draft, message, { nativeEvent }) {
    if (!isKnown(nativeEvent) || UNREAD.test(nativeEvent)) return false;
    draft.top.systemMessage = message;
    return true;
  },
};

export const encode = (event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded =>
  encodeWith(dialect, event, decision, context);
