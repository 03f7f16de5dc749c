import { type CanonicalEvent, type EncodeContext, type Encoded, type NativeAnswer, type Reduced, SILENCE } from '@piton/contracts';
import { type AnswerDialect, encodeWith } from '../shared/answer-draft.ts';
import { isKnown } from './events.ts';
import { RULES } from './rules.ts';

/** Here even `{}` would say something: it is taken as instructions, shown to the person, or read as a path. */
const SILENT: ReadonlySet<string> = new Set(['PreCompact', 'PostCompact', 'WorktreeCreate']);

/** Where Claude Code drops a message for the person. */
const NO_USER_MESSAGE =
  /^(?:Notification|SessionEnd|StopFailure|PreCompact|PostCompact|ConfigChange|InstructionsLoaded|Worktree.*|MessageDisplay|Elicitation.*)$/;

export function noop(nativeEvent: string): NativeAnswer {
  return SILENT.has(nativeEvent) || !isKnown(nativeEvent) ? SILENCE : { ...SILENCE, stdout: '{}' };
}

const dialect: AnswerDialect = {
  title: 'Claude Code',
  rules: RULES,
  noop,
  tellPerson(draft, message, { nativeEvent }) {
    const isShown = isKnown(nativeEvent) && !NO_USER_MESSAGE.test(nativeEvent);
    if (isShown) draft.top.systemMessage = message;
    return isShown;
  },
};

export const encode = (event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded =>
  encodeWith(dialect, event, decision, context);
