import { type NativeAnswer, SILENCE } from '@piton/contracts';
import { encoderOf } from '../shared/answer-draft.ts';
import { RULES } from './rules.ts';

/** Silence changes nothing anywhere. */
export const noop = (_nativeEvent: string): NativeAnswer => SILENCE;

export const encode = encoderOf({
  title: 'Grok Build',
  rules: RULES,
  noop,
  // It shows what a deny, a block or a failure says, and nothing else of a hook.
  addUserMessage: () => false,
});
