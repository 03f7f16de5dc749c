import { type NativeAnswer, SILENCE } from '@piton/contracts';
import { encoderOf, systemMessageOn } from '../shared/answer-draft.ts';
import { RULES } from './rules.ts';

/** Where Droid shows a message to the person; elsewhere it goes to a log. */
const SHOWN: ReadonlySet<string> = new Set(['PostToolUse', 'Stop']);

/** Silence everywhere: at session start and prompt any other text would be context. */
export const noop = (_nativeEvent: string): NativeAnswer => SILENCE;

export const encode = encoderOf({
  title: 'Droid',
  rules: RULES,
  noop,
  addUserMessage: systemMessageOn((nativeEvent) => SHOWN.has(nativeEvent)),
});
