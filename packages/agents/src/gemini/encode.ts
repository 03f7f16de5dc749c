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

/** Never nothing: with an empty stdout Gemini CLI reads stderr in its place. */
export function noop(nativeEvent: string): NativeAnswer {
  return isKnown(nativeEvent) ? { ...SILENCE, stdout: '{}' } : SILENCE;
}

/** It says `stopReason` before `reason`, so both hold the same. */
function addEnd(draft: Draft, { endRun, reason }: Reduced): void {
  if (!endRun) return;
  draft.ended = true;
  Object.assign(draft.top, { continue: false, stopReason: reason ?? '' });
}

const preTool: Rule = (draft, decision, event, { attended }) => {
  const allowed = decision.verdict === 'allow';
  const { verdict, reason } = allowed ? { verdict: 'observe', reason: '' } : verdictOf(draft, decision, attended);
  if (verdict === 'deny') {
    Object.assign(draft.top, { decision: 'deny', reason });
    addEnd(draft, decision);
  }
  // The dialog shows the message, not the reason.
  if (verdict === 'ask') Object.assign(draft.top, { decision: 'ask', reason, systemMessage: reason });
  if (decision.input === undefined) return;
  if (verdict === 'deny') draft.delivered.push({ decision: 'modify', how: 'none', note: 'denied: nothing runs' });
  else {
    draft.specific.tool_input = toNativeInput(event.tool?.nativeName ?? '', decision.input);
    draft.delivered.push({ decision: 'modify', how: 'now' });
  }
};

/** A block replaces the result, so it is for `rewrite` alone; what a hook has to say stands after the result. */
const postTool: Rule = (draft, decision) => {
  const { verdict, reason, content, output } = decision;
  const said = [verdict === 'deny' ? reason : undefined, content].filter((text) => text !== undefined);
  if (verdict === 'deny') draft.delivered.push({ decision: 'deny', how: 'degraded', note: FEEDBACK });
  if (content !== undefined) draft.delivered.push({ decision: 'replace', how: 'now' });
  if (decision.endRun) {
    if (output !== undefined) draft.delivered.push({ decision: 'rewrite', how: 'none', note: 'a hook ended the run' });
    return addEnd(draft, { ...decision, reason: said.join('\n') });
  }
  if (output !== undefined) {
    Object.assign(draft.top, { decision: 'deny', reason: [asTextForModel(output), ...said].join('\n') });
    draft.delivered.push({ decision: 'rewrite', how: 'degraded', note: REWRITTEN });
  } else if (said.length > 0) draft.specific.additionalContext = said.join('\n');
};

const prompt: Rule = (draft, decision, event, context) => {
  const { verdict } = decision;
  if (verdict !== 'deny' && verdict !== 'ask') return addContext(draft, decision, event, context);
  Object.assign(draft.top, { decision: 'deny', reason: decision.reason ?? '' });
  const note = 'Gemini CLI has no question at a prompt: the person reads the reason and can send it again';
  draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note });
  if (decision.content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'denied: the model gets no prompt' });
  addEnd(draft, decision);
};

const stop: Rule = (draft, decision) => {
  addEnd(draft, decision);
  if (decision.continue === undefined) return;
  if (decision.endRun) draft.delivered.push({ decision: 'continue', how: 'none', note: 'a hook ended the run' });
  else {
    Object.assign(draft.top, { decision: 'deny', reason: decision.continue });
    draft.delivered.push({ decision: 'continue', how: 'now' });
  }
};

const dialect: AnswerDialect = {
  title: 'Gemini CLI',
  noop,
  rules: {
    session_start: addContext,
    user_prompt_submit: prompt,
    pre_tool_use: preTool,
    post_tool_use: postTool,
    post_tool_use_failure: postTool,
    stop,
    pre_compact: deferContext,
  },
  tellPerson(draft, message, { nativeEvent }) {
    if (!isKnown(nativeEvent)) return false;
    const { systemMessage } = draft.top;
    draft.top.systemMessage = typeof systemMessage === 'string' ? `${systemMessage}\n${message}` : message;
    return true;
  },
};

export const encode = (event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded =>
  encodeWith(dialect, event, decision, context);
