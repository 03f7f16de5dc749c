import { registrationArgs } from '@piton/contracts';
import { quoted } from '../command-line.ts';

/** The scope in its command lines: an event that comes through a plugin and through `init` is one event by that difference. */
const SCOPE = 'plugin';

/** Said at a session's start, to the person. As JSON, so that no agent gives it to the model. */
const missingIn = (what: string): string =>
  JSON.stringify({
    systemMessage: `The Piton ${what} is enabled, but Piton is not set up on this machine, so no hooks run. Set it up: npx @piton/cli init`,
  });

export interface DeclaredEvent {
  readonly agent: string;
  readonly nativeEvent: string;
  readonly timeoutMs: number;
  readonly variables: readonly string[];
  /** What it is called there: `plugin`, or `extension`. */
  readonly what: string;
}

/**
 * The line of a plugin that only declares, for a POSIX shell: finds Piton's home as Piton does, and runs its forwarder if there is
 * one. Else only a session's start says something. No variable is set, since one that happens to be exported would reach the hooks
 * changed. A relative PITON_HOME is refused by `init`: nothing is there.
 */
export function declaredLine({ what, ...event }: DeclaredEvent): string {
  const [agent = '', native = '', , ...rest] = registrationArgs({ ...event, scope: 'user' });
  const words = [agent, native, SCOPE, ...rest].map(quoted).join(' ');
  const home = `set -- "\${PITON_HOME:+$PITON_HOME/state}"; set -- "\${1:-\${XDG_STATE_HOME:-$HOME/.local/state}/piton}"/runtime/current/piton-forward ${words}`;
  const otherwise = event.nativeEvent === 'SessionStart' ? `{ echo '${missingIn(what)}'; exit 0; }` : 'exit 0';
  return `${home}; [ -x "$1" ] || ${otherwise}; exec "$@"`;
}

export const describePlugin = (title: string): string =>
  `Runs your Piton hooks on the events of ${title}, and records what happened. Needs Piton: npx @piton/cli init`;

export const jsonFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
