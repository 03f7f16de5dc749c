import { emptyObjectOn, encoderOf, systemMessageOn } from '../shared/answer-draft.ts';
import { isKnown } from './events.ts';
import { RULES } from './rules.ts';

/** Here even `{}` would say something: it is taken as instructions, shown to the person, or read as a path. */
const SILENT: ReadonlySet<string> = new Set(['PreCompact', 'PostCompact', 'WorktreeCreate']);

/** Where Claude Code drops a message for the person. */
const NO_USER_MESSAGE =
  /^(?:Notification|SessionEnd|StopFailure|PreCompact|PostCompact|ConfigChange|InstructionsLoaded|Worktree.*|MessageDisplay|Elicitation.*)$/;

export const noop = emptyObjectOn((nativeEvent) => isKnown(nativeEvent) && !SILENT.has(nativeEvent));

export const encode = encoderOf({
  title: 'Claude Code',
  rules: RULES,
  noop,
  addUserMessage: systemMessageOn((nativeEvent) => isKnown(nativeEvent) && !NO_USER_MESSAGE.test(nativeEvent)),
});
