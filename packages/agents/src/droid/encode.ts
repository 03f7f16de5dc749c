import { type CanonicalEvent, type EncodeContext, type Encoded, type NativeAnswer, type Reduced, SILENCE } from '@piton/contracts';
import { encodeWith } from '../shared/answer-draft.ts';
import { RULES } from './rules.ts';

/** Where Droid shows a message to the person; elsewhere it goes to a log. */
const SHOWN: ReadonlySet<string> = new Set(['PostToolUse', 'Stop']);

/** Silence everywhere: at session start and prompt any other text would be context. */
export const noop = (_nativeEvent: string): NativeAnswer => SILENCE;

export function encode(event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded {
  return encodeWith(
    {
      title: 'Droid',
      rules: RULES,
      noop,
      tellPerson(draft, message) {
        if (!SHOWN.has(event.nativeEvent)) return false;
        draft.top.systemMessage = message;
        return true;
      },
    },
    event,
    decision,
    context,
  );
}
