import { type Agent, type CanonicalEvent, isToolEvent, type JsonObject, type NativeContext, UNKNOWN_AGENT } from '@piton/contracts';
import { canonicalEvent } from '../canonical-event.ts';
import { isObject, textOf } from '../json-fields.ts';
import type { KnownWords } from './known-words.ts';
import { readLeniently } from './payload-fields.ts';
import { foreignSign, seemsToBe } from './signs.ts';
import { readTool } from './tool.ts';

/** Whatever can be read of a payload that came through the registration of this agent and is not its own. */
export const decodeThrough =
  (registered: Agent, words: KnownWords): Agent['decode'] =>
  (payload, context): CanonicalEvent => {
    const raw: JsonObject = isObject(payload) ? payload : {};
    const fields = readLeniently(raw);
    const event = eventOf(registered, fields, context, words);
    const cwd = textOf(fields, 'cwd') ?? context.cwd;
    const tool = isToolEvent(event) ? readTool(fields, cwd, words) : undefined;
    const prompt = event === 'user_prompt_submit' ? textOf(fields, 'prompt') : undefined;
    const portable: JsonObject = {
      ...fields,
      ...(tool && { tool_name: tool.name, tool_input: tool.input }),
      ...(prompt !== undefined && { prompt }),
    };
    return canonicalEvent(
      {
        ...{ event, agent: UNKNOWN_AGENT, through: registered.id, cwd, portable, raw: payload },
        // The answer goes to whoever reads the file of the registration: its name for the event is the one that counts.
        nativeEvent: context.nativeEvent,
        sessionId: textOf(fields, 'session_id') ?? '',
      },
      { tool, prompt, transcriptPath: textOf(fields, 'transcript_path') },
      [`not from ${registered.title}${likeWhom(raw, words)}: ${foreignSign(registered, raw, words) ?? 'it looks otherwise'}`],
    );
  };

function likeWhom(raw: JsonObject, words: KnownWords): string {
  const title = seemsToBe(raw, words);
  return title === undefined ? '' : `, it seems from ${title}`;
}

/** Whoever called looked up the event under the name of the registration. What the payload says counts where that name means nothing. */
function eventOf({ events }: Agent, fields: JsonObject, { nativeEvent }: NativeContext, words: KnownWords): CanonicalEvent['event'] {
  const registered = events.find(({ name }) => name === nativeEvent)?.event ?? 'other';
  if (registered !== 'other') return registered;
  return words.eventNamed(textOf(fields, 'hook_event_name') ?? '') ?? words.eventNamed(nativeEvent) ?? 'other';
}
