import {
  type CanonicalEvent,
  type EncodeContext,
  type Encoded,
  type JsonObject,
  type NativeAnswer,
  type Reduced,
  SILENCE,
} from '@piton/contracts';
import { type AnswerDialect, type Draft, deferContext, encodeWith, type Rule } from '../shared/answer-draft.ts';
import { fieldsOf } from '../shared/json-fields.ts';
import { ENDS_RUN, FEEDBACK, NO_QUESTION } from './capabilities.ts';
import { isKnown } from './events.ts';
import { toNativeInput } from './tools.ts';

export function noop(nativeEvent: string): NativeAnswer {
  return isKnown(nativeEvent) ? { ...SILENCE, stdout: '{}' } : SILENCE;
}

/** Below a file nothing can be: whoever reads or writes there fails. */
const NOWHERE = '/dev/null/denied-by-a-hook';

/**
 * Calls that do nothing and fail. `cancel` ends the whole run and the model never hears why; in place of the denied call
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

const preTool: Rule = (draft, decision, event) => {
  const { verdict, reason = '', content, input } = decision;
  if (verdict === 'deny' || verdict === 'ask') return refuse(draft, decision, event);
  addContext(draft, [content]);
  if (content !== undefined) draft.delivered.push({ decision: 'replace', how: 'now' });
  if (input === undefined) return;
  draft.top.overrideInput = toNativeInput(event.tool?.nativeName ?? '', nativeInputOf(event), input);
  draft.delivered.push({ decision: 'modify', how: 'now', ...(reason !== '' && { note: reason }) });
};

function refuse(draft: Draft, { verdict, reason = '', content, input, endRun }: Reduced, event: CanonicalEvent): void {
  const standIn = endRun ? undefined : standInFor(event);
  if (input !== undefined) draft.delivered.push({ decision: 'modify', how: 'none', note: 'denied: nothing runs' });
  if (standIn === undefined) {
    cancel(draft, reason);
    if (content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'the run ends' });
    draft.delivered.push({ decision: verdict === 'ask' ? 'ask' : 'deny', how: 'degraded', note: ENDS_RUN });
    return;
  }
  draft.top.overrideInput = standIn;
  addContext(draft, [reason, content]);
  if (content !== undefined) draft.delivered.push({ decision: 'replace', how: 'now' });
  draft.delivered.push(verdict === 'ask' ? { decision: 'ask', how: 'degraded', note: NO_QUESTION } : { decision: 'deny', how: 'now' });
}

const nativeInputOf = ({ raw }: CanonicalEvent): JsonObject => fieldsOf(fieldsOf(fieldsOf(raw).tool_call).input);

/** A cancel after a tool undoes nothing and ends the run, so it is only for that. */
const postTool: Rule = (draft, { verdict, reason, content, endRun }) => {
  if (verdict === 'deny') draft.delivered.push({ decision: 'deny', how: 'degraded', note: FEEDBACK });
  if (endRun) {
    if (content !== undefined) draft.delivered.push({ decision: 'replace', how: 'none', note: 'a hook ended the run' });
    return cancel(draft, reason ?? '');
  }
  if (content !== undefined) draft.delivered.push({ decision: 'replace', how: 'now' });
  addContext(draft, [verdict === 'deny' ? reason : undefined, content]);
};

const dialect: AnswerDialect = {
  title: 'Cline',
  noop,
  rules: { session_start: deferContext, pre_tool_use: preTool, post_tool_use: postTool, post_tool_use_failure: postTool },
  tellPerson: () => false, // there is no such field, and what other events print is not read
};

export const encode = (event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded =>
  encodeWith(dialect, event, decision, context);
