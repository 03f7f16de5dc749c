import { type Rule, ruleTable } from '../shared/answer-draft.ts';
import { addDeny, isRefusal, promptRule, reasonOf, stopRule } from '../shared/answer-rules.ts';
import { AT_A_PROMPT, NO_QUESTION, type Unanswered, type Untaken } from './capabilities.ts';

/** A deny is the one answer that Kimi Code reads, on every event that it waits for: before a tool, at a prompt and at a stop. */
const refuse = (specific: Record<string, unknown>, reason: string): void =>
  void Object.assign(specific, { permissionDecision: 'deny', permissionDecisionReason: reason });

const untilAPrompt: Rule<'replace'> = (draft, { content }) => {
  if (content === undefined) return;
  draft.deferred = content;
  draft.deliver({ decision: 'replace', how: 'deferred', note: `until ${AT_A_PROMPT.until}` });
};

const preTool: Rule<'ask' | 'deny'> = (draft, decision) => {
  if (isRefusal(decision)) addDeny(draft, decision, NO_QUESTION);
};

const prompt = promptRule(
  'Kimi Code has no question at a prompt: the person reads the reason and can send it again',
  (draft, decision) => {
    draft.ended = true;
    refuse(draft.specific, reasonOf(decision));
  },
  (draft, { content }) => {
    if (content === undefined) return;
    // Whatever is printed goes to the model as it stands; of an object only this.
    draft.top.message = content;
    draft.deliver({ decision: 'replace', how: 'now' });
  },
);

/** An empty reason would be one of Kimi Code's own. To end the run is to say nothing. */
const stop = stopRule(
  (draft, reason) => refuse(draft.specific, reason.trim() || 'go on'),
  (draft, { endRun }) => {
    if (endRun) draft.ended = true;
  },
);

export const RULES = ruleTable<Unanswered, Untaken>()({
  session_start: untilAPrompt,
  user_prompt_submit: prompt,
  pre_tool_use: preTool,
  stop,
  pre_compact: untilAPrompt,
  post_compact: untilAPrompt,
});
