import { type NativeAnswer, SILENCE } from '@piton/contracts';
import { encoderOf, systemMessageOn } from '../shared/answer-draft.ts';
import { isKnown } from './events.ts';
import { RULES } from './rules.ts';

/** Silence everywhere: any other text is shown to the person. */
export const noop = (_nativeEvent: string): NativeAnswer => SILENCE;

export const encode = encoderOf({
  title: 'Auggie',
  rules: RULES,
  noop,
  addUserMessage: systemMessageOn((nativeEvent) => isKnown(nativeEvent) && nativeEvent !== 'SessionEnd'),
});
