import { type NativeAnswer, SILENCE } from '@piton/contracts';
import { encoderOf, systemMessageOn } from '../shared/answer-draft.ts';
import { canonicalName } from './events.ts';
import { RULES } from './rules.ts';

/** Silence everywhere: whatever begins like JSON and is no answer of the event is a failed hook. */
export const noop = (_nativeEvent: string): NativeAnswer => SILENCE;

export const encode = encoderOf({
  title: 'Codex',
  rules: RULES,
  noop,
  // Nothing is read at the end of a session; what the events of the model take is not known.
  addUserMessage: systemMessageOn(
    (nativeEvent) => nativeEvent === 'Interrupt' || (nativeEvent !== 'SessionEnd' && canonicalName(nativeEvent) !== 'other'),
  ),
});
