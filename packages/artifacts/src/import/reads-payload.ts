import { type EventName, injectsText } from '@piton/contracts';
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

/** Does a command read the payload, or answer? Yes, unless every program in it is known not to. */
export function readsPayload(command: string, event: EventName): boolean {
  const { commands } = readCommands(command);
  const isHarmless = (name: string | undefined): boolean =>
    name !== undefined && (IGNORES_INPUT.has(name) || (PRINTS_ONLY.has(name) && !injectsText(event) && !command.includes('{')));
  return commands.length === 0 || !commands.every((one) => isHarmless(unwrapped(one).words[0]?.text));
}
