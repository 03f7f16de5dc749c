import type { EventName } from '@piton/contracts';
import { unwrapped } from '../shell/programs.ts';
import { readCommands } from '../shell/simple-commands.ts';

/** Programs that hooks use for sounds and notifications. None of them reads stdin or answers. */
const IGNORES_INPUT = new Set([
  'true',
  ':',
  'notify-send',
  'terminal-notifier',
  'osascript',
  'afplay',
  'paplay',
  'say',
  'touch',
  'mkdir',
  'sleep',
  'cd',
]);
/** The same, if their output is not an answer. */
const PRINTS_ONLY = new Set(['echo', 'printf', 'date']);
/** At these events plain text goes to the model. */
const TAKES_PLAIN_TEXT: readonly EventName[] = ['session_start', 'user_prompt_submit'];

/** Does a command read the payload, or answer? Yes, unless every program in it is known not to. */
export function readsPayload(command: string, event: EventName): boolean {
  const { commands } = readCommands(command);
  const isHarmless = (name: string | undefined): boolean =>
    name !== undefined &&
    (IGNORES_INPUT.has(name) || (PRINTS_ONLY.has(name) && !TAKES_PLAIN_TEXT.includes(event) && !command.includes('{')));
  return commands.length === 0 || !commands.every((one) => isHarmless(unwrapped(one).words[0]?.text));
}
