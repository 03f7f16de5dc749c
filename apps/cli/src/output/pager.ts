import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { trustedPath, workingTreeAround } from '@piton/contracts/programs';
import { findProgram } from '@piton/hooks';
import type { Context } from '../context.ts';
import { safeText } from './safe-text.ts';
import { widthOf } from './text.ts';

type PagerContext = Pick<Context, 'env' | 'out' | 'width' | 'height' | 'interactive' | 'colours'>;

/**
 * Shows a text, on a terminal page by page if it is longer than the screen. The pager is `$PAGER` or `less`. It is never a program of a
 * repository: the text may be shown to decide whether anything of it may run. `fromEnd`: a list whose newest row is its last. True if a
 * pager showed it.
 */
export async function showPaged(context: PagerContext, text: string, { fromEnd = false } = {}): Promise<boolean> {
  const found = context.interactive && !fits(context, text) ? pagerOf(context.env) : undefined;
  const pager = found && fromEnd && basename(found.program) === 'less' ? { ...found, args: [...found.args, '+G'] } : found;
  if (pager !== undefined && (await runPager(pager, safeText(text, context.colours), context.env))) return true;
  // No pager, or one that failed and may have shown nothing.
  context.out(text);
  return false;
}

/** With room for the question below it. */
function fits({ width, height }: PagerContext, text: string): boolean {
  let rows = 0;
  for (const line of text.split('\n')) rows += Math.max(1, Math.ceil(widthOf(line) / width));
  return rows + 2 <= height;
}

interface Pager {
  readonly program: string;
  readonly args: readonly string[];
}

/** `$PAGER` may have arguments, but no shell reads it. One that needs a shell is not used. */
function pagerOf(env: Context['env']): Pager | undefined {
  const wanted = env.PAGER?.trim();
  if (wanted === '' || wanted === 'cat') return undefined;
  const lines = [...(wanted !== undefined && /^[\w@%+=:,./ -]+$/.test(wanted) ? [wanted] : []), 'less', 'more'];
  for (const line of lines) {
    const [name = '', ...args] = line.split(/ +/);
    const program = programAt(name, trustedPath(env.PATH ?? ''));
    if (program !== undefined) return { program, args };
  }
  return undefined;
}

function programAt(name: string, path: string): string | undefined {
  if (name.includes('/') && !isAbsolute(name)) return undefined;
  const found = findProgram(name, path);
  return found !== undefined && workingTreeAround(realpathSync(found)) === undefined ? found : undefined;
}

/** False if it could not be started or failed. */
async function runPager({ program, args }: Pager, text: string, env: Context['env']): Promise<boolean> {
  // As git does: quit if it fits, colours, and leave the text on the screen for the question below.
  const settings = {
    LESS: 'FRX',
    LV: '-c',
    ...env,
    PATH: trustedPath(env.PATH ?? ''),
    LESSSECURE: '1',
    LESSOPEN: undefined,
    LESSCLOSE: undefined,
  };
  const ignore = (): void => {};
  // Ctrl-C in a pager is for the pager.
  process.on('SIGINT', ignore);
  try {
    // In a directory without anything that the pager might read.
    const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], cwd: '/', env: settings });
    const ended = new Promise<boolean>((resolve) => child.on('error', () => resolve(false)).on('close', (code) => resolve(code === 0)));
    // Whoever has seen enough closes it before the end.
    child.stdin.on('error', ignore).end(text);
    return await ended;
  } finally {
    process.off('SIGINT', ignore);
  }
}
