import type { EventName, JsonObject, NativeContext } from '@piton/contracts';
import { nativeEventOf } from './canonical-event.ts';
import { isObject, textOf } from './json-fields.ts';

/** What every payload in Claude Code's names says first. */
export interface PortableHead {
  readonly fields: JsonObject;
  readonly nativeEvent: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly problems: string[];
}

export function readHead(payload: unknown, context: NativeContext): PortableHead {
  const problems: string[] = [];
  const fields: JsonObject = isObject(payload) ? payload : {};
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);
  const nativeEvent = nativeEventOf(fields, context, problems);
  const sessionId = textOf(fields, 'session_id');
  if (sessionId === undefined && isObject(payload)) problems.push('no session_id');
  return { fields, nativeEvent, sessionId: sessionId ?? '', cwd: textOf(fields, 'cwd') ?? context.cwd, problems };
}

/** The prompt of an event that should have one. */
export function readPrompt({ fields, problems }: PortableHead, event: EventName): string | undefined {
  if (event !== 'user_prompt_submit') return undefined;
  if (typeof fields.prompt === 'string') return fields.prompt;
  problems.push('no prompt');
  return undefined;
}

/** The first of some fields that holds a text. */
export function firstText(fields: JsonObject, names: readonly string[] = []): string | undefined {
  for (const name of names) {
    const text = textOf(fields, name);
    if (text !== undefined) return text;
  }
  return undefined;
}
