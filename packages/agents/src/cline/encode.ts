import type { CanonicalEvent, JsonObject, Reduced } from '@piton/contracts';
import { type Draft, emptyObjectOn, encoderOf, type Rule, ruleTable } from '../shared/answer-draft.ts';
import { addInput, deferContext, isRefusal, reportFeedback, reportRefusal } from '../shared/answer-rules.ts';
import { fieldsOf } from '../shared/json-fields.ts';
import { ENDS_RUN, FEEDBACK, NO_QUESTION, type Unanswered, type Untaken } from './capabilities.ts';
import { isKnown } from './events.ts';
import { toNativeInput } from './tools.ts';

export const noop = emptyObjectOn(isKnown);

/** Below a file nothing can be: whoever reads or writes there fails. */
const NOWHERE = '/dev/null/denied-by-a-hook';

/**
 * Calls that do nothing and fail. `cancel` ends the whole run and the model gets no reason; in place of the denied call
 * one of these lets the run go on, with the reason beside its failure. No word of a hook gets into a command.
 */
const STAND_INS: Readonly<Record<string, JsonObject>> = {
  run_commands: { commands: ["echo 'A hook denied this command. The reason is given beside this result.' >&2; exit 1"] },
  editor: { path: NOWHERE, new_text: '' },
  read_files: { files: [{ path: NOWHERE }] },
};

const standInFor = ({ tool }: CanonicalEvent): JsonObject | undefined =>
  tool && Object.hasOwn(STAND_INS, tool.nativeName) ? STAND_INS[tool.nativeName] : undefined;

function cancel(draft: Draft, reason: string): void {
  draft.ended = true;
  Object.assign(draft.top, { cancel: true, errorMessage: reason });
}

const addContext = (draft: Draft, texts: readonly (string | undefined)[]): void => {
  const said = texts.filter((text) => text !== undefined && text !== '').join('\n');
  if (said !== '') draft.top.contextModification = said;
};

const preTool: Rule<'ask' | 'deny' | 'modify' | 'replace'> = (draft, decision, event) => {
  const { reason = '', content, input } = decision;
  if (isRefusal(decision)) return refuse(draft, decision, event);
  addContext(draft, [content]);
  if (content !== undefined) draft.deliver({ decision: 'replace', how: 'now' });
  if (input === undefined) return;
  draft.top.overrideInput = toNativeInput(event.tool?.nativeName ?? '', nativeInputOf(event), input);
  draft.deliver({ decision: 'modify', how: 'now', ...(reason !== '' && { note: reason }) });
};

function refuse(draft: Draft<'ask' | 'deny' | 'modify' | 'replace'>, decision: Reduced, event: CanonicalEvent): void {
  const { verdict, reason = '', content, endRun } = decision;
  const standIn = endRun ? undefined : standInFor(event);
  addInput(draft, decision, true, () => undefined);
  if (standIn === undefined) {
    cancel(draft, reason);
    if (content !== undefined) draft.deliver({ decision: 'replace', how: 'none', note: 'the run ends' });
    draft.deliver({ decision: verdict === 'ask' ? 'ask' : 'deny', how: 'degraded', note: ENDS_RUN });
    return;
  }
  draft.top.overrideInput = standIn;
  addContext(draft, [reason, content]);
  if (content !== undefined) draft.deliver({ decision: 'replace', how: 'now' });
  reportRefusal(draft, decision, NO_QUESTION);
}

const nativeInputOf = ({ raw }: CanonicalEvent): JsonObject => fieldsOf(fieldsOf(fieldsOf(raw).tool_call).input);

/** A cancel after a tool undoes nothing and ends the run, so it is only for that. */
const postTool: Rule<'deny' | 'replace'> = (draft, decision) => {
  if (!decision.endRun) return addContext(draft, reportFeedback(draft, decision, FEEDBACK));
  const { content, ...rest } = decision;
  reportFeedback(draft, rest, FEEDBACK);
  if (content !== undefined) draft.deliver({ decision: 'replace', how: 'none', note: 'a hook ended the run' });
  cancel(draft, decision.reason ?? '');
};

const RULES = ruleTable<Unanswered, Untaken>()({
  session_start: deferContext,
  pre_tool_use: preTool,
  post_tool_use: postTool,
  post_tool_use_failure: postTool,
});

// There is no field for a message to the person, and what other events print is not read.
export const encode = encoderOf({ title: 'Cline', noop, rules: RULES, addUserMessage: () => false });
