import { spawn } from 'node:child_process';
import type { Context } from '../context.ts';
import { findHere } from '../programs.ts';

/** With the desktop's own program. Without a desktop there is only the link. */
export function openBrowser(context: Context, link: string): boolean {
  const { env } = context;
  const name = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  const program = findHere(context, name);
  if (program === undefined) return false;
  const child = spawn(program, [link], { stdio: 'ignore', detached: true, env: env as NodeJS.ProcessEnv });
  child.on('error', () => {});
  child.unref();
  return true;
}
