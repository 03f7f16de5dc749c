import { type CanonicalEvent, type EncodeContext, type Encoded, type NativeAnswer, type Reduced, SILENCE } from '@piton/contracts';
import { encodeWith } from '../shared/answer-draft.ts';
import { canonicalName } from './events.ts';
import { RULES } from './rules.ts';

/** Nothing is read at the end of a session; what the events of the model take is not known. */
const tellsPerson = (nativeEvent: string): boolean =>
  nativeEvent === 'Interrupt' || (nativeEvent !== 'SessionEnd' && canonicalName(nativeEvent) !== 'other');

/** Silence everywhere: whatever begins like JSON and is no answer of the event is a failed hook. */
export const noop = (_nativeEvent: string): NativeAnswer => SILENCE;

export function encode(event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded {
  return encodeWith(
    {
      title: 'Codex',
      rules: RULES,
      noop,
      tellPerson(draft, message) {
        if (!tellsPerson(event.nativeEvent)) return false;
        draft.top.systemMessage = message;
        return true;
      },
    },
    event,
    decision,
    context,
  );
}
