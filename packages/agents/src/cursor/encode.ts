import { type CanonicalEvent, type EncodeContext, type Encoded, type NativeAnswer, type Reduced, SILENCE } from '@piton/contracts';
import { type AnswerDialect, asTextForModel, type Draft, deferContext, encodeWith, type Rule } from '../shared/answer-draft.ts';
import { FEEDBACK, NO_QUESTION } from './capabilities.ts';
import { isKnown } from './events.ts';
import { toNativeInput } from './tools.ts';

/** Never nothing, and never text: where a permission is at stake, what cannot be read blocks. */
export function noop(nativeEvent: string): NativeAnswer {
  return isKnown(nativeEvent) ? { ...SILENCE, stdout: '{}' } : SILENCE;
}

/** A longer text is dropped as a whole. */
const CONTEXT_LIMIT = 10_000;

function addContext(draft: Draft, text: string): boolean {
  draft.top.additional_context = text.slice(0, CONTEXT_LIMIT);
  return text.length <= CONTEXT_LIMIT;
}

const context: Rule = (draft, { content }) => {
  if (content === undefined) return;
  const whole = addContext(draft, content);
  const note = `cut at ${CONTEXT_LIMIT} characters: Cursor drops a longer text`;
  draft.delivered.push(whole ? { decision: 'replace', how: 'now' } : { decision: 'replace', how: 'degraded', note });
};

/** What the model is told is the message for the person. */
function refuse(draft: Draft, { verdict, reason = '' }: Reduced, note: string): void {
  Object.assign(draft.top, { permission: 'deny', ...(reason !== '' && { user_message: reason }) });
  draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note });
}

const isRefusal = ({ verdict }: Reduced): boolean => verdict === 'deny' || verdict === 'ask';

const preTool: Rule = (draft, decision, event, given) => {
  if (isRefusal(decision)) {
    refuse(draft, decision, NO_QUESTION);
    if (decision.reason) draft.top.agent_message = decision.reason;
  }
  context(draft, decision, event, given);
  if (decision.input === undefined) return;
  const input = event.tool && toNativeInput(event.tool, decision.input);
  if (isRefusal(decision) || input === undefined) {
    const note = isRefusal(decision) ? 'denied: nothing runs' : 'the content of a file cannot be changed';
    return void draft.delivered.push({ decision: 'modify', how: 'none', note });
  }
  // Documented together with this permission, which skips no question of Cursor's own.
  Object.assign(draft.top, { permission: 'allow', updated_input: input });
  draft.delivered.push({ decision: 'modify', how: 'now' });
};

const subagentStart: Rule = (draft, decision) => {
  if (isRefusal(decision)) refuse(draft, decision, 'Cursor takes only allow and deny here');
};

const postTool: Rule = (draft, decision, event, given) => {
  const { verdict, reason, content, output } = decision;
  const said = [verdict === 'deny' ? reason : undefined, content].filter((text) => text !== undefined).join('\n');
  if (verdict === 'deny') draft.delivered.push({ decision: 'deny', how: 'degraded', note: FEEDBACK });
  if (content !== undefined) context(draft, decision, event, given);
  if (said !== '') addContext(draft, said);
  if (output === undefined || event.nativeEvent !== 'postToolUse' || event.tool?.kind !== 'mcp') return;
  draft.top.updated_mcp_tool_output = { content: [{ type: 'text', text: asTextForModel(output) }] };
  draft.delivered.push({ decision: 'rewrite', how: 'now' });
};

const prompt: Rule = (draft, decision, event, given) => {
  if (!isRefusal(decision)) {
    if (decision.content !== undefined) draft.top.continue = true;
    return context(draft, decision, event, given);
  }
  const { verdict, reason = '' } = decision;
  Object.assign(draft.top, { continue: false, ...(reason !== '' && { user_message: reason }) });
  draft.ended = true; // nothing runs without a prompt
  const note = 'Cursor has no question at a prompt: the person reads the reason and can send it again';
  draft.delivered.push(verdict === 'deny' ? { decision: 'deny', how: 'now' } : { decision: 'ask', how: 'degraded', note });
  if (decision.content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'denied: the model gets no prompt' });
};

const stop: Rule = (draft, decision) => {
  draft.ended = true; // it ends unless it is refused
  if (decision.continue === undefined) return;
  if (decision.endRun) return void draft.delivered.push({ decision: 'continue', how: 'none', note: 'a hook ended the run' });
  draft.top.followup_message = decision.continue;
  draft.delivered.push({ decision: 'continue', how: 'now' });
};

/** Where the message is documented and reaches no model. */
const SHOWN: ReadonlySet<string> = new Set(['sessionStart', 'beforeSubmitPrompt', 'preCompact']);

const dialect: AnswerDialect = {
  title: 'Cursor',
  noop,
  rules: {
    session_start: context,
    user_prompt_submit: prompt,
    pre_tool_use: preTool,
    post_tool_use: postTool,
    post_tool_use_failure: postTool,
    subagent_start: subagentStart,
    subagent_stop: stop,
    stop,
    pre_compact: deferContext,
  },
  tellPerson(draft, message, { nativeEvent }) {
    if (!SHOWN.has(nativeEvent)) return false;
    const { user_message } = draft.top;
    draft.top.user_message = typeof user_message === 'string' ? `${user_message}\n${message}` : message;
    return true;
  },
};

export const encode = (event: CanonicalEvent, decision: Reduced, given: EncodeContext): Encoded =>
  encodeWith(dialect, event, decision, given);
