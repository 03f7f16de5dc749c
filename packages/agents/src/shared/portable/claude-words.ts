import type { CanonicalEvent, EventName, JsonObject, NativeContext } from '@piton/contracts';
import { isObject, textOf } from '../json-fields.ts';

type Table = Readonly<Record<string, string>>;

/** An agent's own words for what Claude Code has a word for, by the field. What is not listed is called the same. */
export interface Words {
  readonly source?: Table;
  readonly reason?: Table;
  readonly permission_mode?: Table;
  readonly notification_type?: Table;
}

/** The field that says why. Hooks of Claude Code match on it. */
const WHY: Partial<Record<EventName, 'source' | 'reason' | 'notification_type'>> = {
  session_start: 'source',
  session_end: 'reason',
  notification: 'notification_type',
};

const REASONS: ReadonlySet<unknown> = new Set(['clear', 'resume', 'logout', 'prompt_input_exit', 'bypass_permissions_disabled', 'other']);

/** A decoder whose events say what they say in Claude Code's words. The native ones stay in the raw payload. */
export const inClaudeWords =
  (words: Words, decode: (payload: unknown, context: NativeContext) => CanonicalEvent) =>
  (payload: unknown, context: NativeContext): CanonicalEvent => {
    const event = withoutFailedResponse(decode(payload, context));
    const said: JsonObject = { ...modeOf(event, words), ...whyOf(event, words), ...(event.event === 'stop_failure' && failureOf(event)) };
    if (Object.keys(said).length === 0) return event;
    const source = textOf(said, event.event === 'stop_failure' ? 'error' : (WHY[event.event] ?? ''));
    return { ...event, portable: { ...event.portable, ...said }, ...(source !== undefined && { source }) };
  };

/** A failed tool has an error and no response in Claude Code: a hook would take the text of one for what a file holds. */
function withoutFailedResponse(event: CanonicalEvent): CanonicalEvent {
  if (event.event !== 'post_tool_use_failure' || !('tool_response' in event.portable)) return event;
  const { tool_response: _, ...portable } = event.portable;
  return { ...event, portable };
}

const translated = (table: Table | undefined, word: string): string =>
  table && Object.hasOwn(table, word) ? (table[word] as string) : word;

function modeOf({ portable: { permission_mode: mode } }: CanonicalEvent, words: Words): JsonObject {
  return typeof mode === 'string' ? { permission_mode: translated(words.permission_mode, mode) } : {};
}

function whyOf({ event, portable }: CanonicalEvent, words: Words): JsonObject {
  const field = WHY[event];
  if (field === undefined) return {};
  const native = textOf(portable, field);
  // A session that ends has a reason in Claude Code, if only this one.
  if (native === undefined) return field === 'reason' ? { reason: 'other' } : {};
  const word = translated(words[field], native);
  return { [field]: field === 'reason' && !REASONS.has(word) ? 'other' : word };
}

/** Claude Code's kinds of errors that end a turn, by what is said of them; the first that fits counts. */
const ERRORS: readonly (readonly [RegExp, string])[] = [
  [/\b429\b|rate.?limit|too many requests/i, 'rate_limit'],
  [/\b529\b|overloaded/i, 'overloaded'],
  [/\b40[13]\b|unauthori[sz]ed|authentication|api.?key|ProviderAuthError/i, 'authentication_failed'],
  [/\b402\b|billing|credit|quota/i, 'billing_error'],
  [/model.{0,40}not.?found/i, 'model_not_found'],
  [/max.{0,10}tokens|OutputLength/i, 'max_output_tokens'],
  [/\b400\b|invalid.?request/i, 'invalid_request'],
  [/\b5\d\d\b|server.?error/i, 'server_error'],
];
const KINDS: ReadonlySet<unknown> = new Set([
  ...ERRORS.map(([, kind]) => kind),
  'oauth_org_not_allowed',
  'account_on_hold',
  'verification_required',
  'cloud_credential_error',
  'unknown',
]);

/** `error` is a kind in Claude Code; what the agent says of it goes beside. */
function failureOf({ portable, text, source }: CanonicalEvent): JsonObject {
  if (KINDS.has(portable.error)) return { error: portable.error };
  const name = isObject(portable.error) ? textOf(portable.error, 'name') : undefined;
  const said = text ?? (typeof portable.error === 'string' && portable.error !== '' ? portable.error : undefined) ?? source;
  const kind = ERRORS.find(([pattern]) => pattern.test([name, said].join(' ')))?.[1] ?? 'unknown';
  const details = said === undefined ? {} : { error_details: said, last_assistant_message: portable.last_assistant_message ?? said };
  return { error: kind, ...details };
}
