import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { eventually } from '@piton/testing';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** A shell in a terminal of its own, as wide as the smallest that people use. */
export interface Terminal {
  /** Types a line and waits until `until` is on the screen, or the prompt is back. */
  type(line: string, until?: RegExp): Promise<string>;
  /** One key, by tmux's name of it. */
  press(key: string, until: RegExp): Promise<string>;
  clear(): Promise<void>;
  end(): void;
}

/** The terminal does not tell of a space at the end of a line. */
const PROMPT = /(^|\n)\$$/;

/** What starts one, as a line of arguments for tmux. */
export const newTerminal = (socket: string, width = 80): string[] => [
  ...['-S', socket, '-f', '/dev/null', 'new-session', '-d', '-s', 'piton', '-x', String(width), '-y', '70'],
  "env HISTFILE=/dev/null PS1='$ ' bash --norc --noprofile",
];

export async function openTerminal(socket: string, cwd: string, env: NodeJS.ProcessEnv, width = 80): Promise<Terminal> {
  execFileSync('tmux', newTerminal(socket, width), { cwd, env });
  return useTerminal(socket, cwd, env);
}

/** One that runs, be it in other namespaces: its socket is a file. */
export async function useTerminal(socket: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Terminal> {
  const tmux = (...args: string[]): string => execFileSync('tmux', ['-S', socket, ...args], { cwd, env, encoding: 'utf8' });
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'piton').trimEnd();
  const settled = async (until: RegExp): Promise<string> => {
    await eventually(() => until.test(screen()));
    return screen();
  };
  tmux('set-option', '-g', 'status', 'off');
  // Otherwise Escape waits for what may follow it.
  tmux('set-option', '-s', 'escape-time', '0');
  await settled(PROMPT);
  return {
    async type(line, until = PROMPT) {
      tmux('send-keys', '-t', 'piton', '-l', line);
      await eventually(() => screen().includes(line.slice(-20)));
      tmux('send-keys', '-t', 'piton', 'Enter');
      // The prompt of before has the line behind it now: what ends the screen is a new one.
      return settled(until);
    },
    press(key, until) {
      tmux('send-keys', '-t', 'piton', key);
      return settled(until);
    },
    async clear() {
      tmux('send-keys', '-t', 'piton', 'C-l');
      await settled(/^\$$/);
    },
    end() {
      spawnSync('tmux', ['-S', socket, 'kill-server'], { env });
      rmSync(socket, { force: true });
    },
  };
}
