import { type NativeAnswer, SILENCE } from '@piton/contracts';
import { encoderOf } from '../shared/answer-draft.ts';
import { RULES } from './rules.ts';

/** At a prompt anything else would be read by the model. */
export const noop = (_nativeEvent: string): NativeAnswer => SILENCE;

export const encode = encoderOf({
  title: 'Kimi Code',
  rules: RULES,
  noop,
  // It shows what a deny says, and nothing else of a hook.
  addUserMessage: () => false,
});
