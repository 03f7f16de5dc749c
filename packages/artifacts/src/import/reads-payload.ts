import type { EventName } from '@piton/contracts';
import { unwrapped } from '../shell/programs.ts';
import { readCommands } from '../shell/simple-commands.ts';

/** Programs of which people use hooks to make a sound or a note: none of these reads its input or answers. */
const DEAF = new Set([
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
/** These too, where nothing of what they print is an answer. */
const TALKING = new Set(['echo', 'printf', 'date']);
/** There plain text is told to the model. */
const LISTENING: readonly EventName[] = ['session_start', 'user_prompt_submit'];

/** Does a command look at what the agent sends, or answer it? Yes, unless all that it runs is known not to. */
export function readsPayload(command: string, event: EventName): boolean {
  const { commands } = readCommands(command);
  const deaf = (name: string | undefined): boolean =>
    name !== undefined && (DEAF.has(name) || (TALKING.has(name) && !LISTENING.includes(event) && !command.includes('{')));
  return commands.length === 0 || !commands.every((one) => deaf(unwrapped(one).words[0]?.text));
}
