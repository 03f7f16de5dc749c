import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivate, type Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { findHere } from '../programs.ts';
import { KNOWS_PEERS } from './http/peer.ts';

/**
 * With the desktop's own program. Without a desktop there is only the link. Every user of the machine can read the arguments of every
 * process, and would be quicker to use a code than the browser is: so this one is good for this user alone. Where the system does not
 * say who connects, the browser gets a file that leads to the link. (On Linux it does not: browsers in a snap may not read it.)
 */
export async function openBrowser(context: Context, places: Places, ownLink: () => Promise<string | undefined>): Promise<boolean> {
  const { env } = context;
  const name = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  const program = findHere(context, name);
  const link = program && (await ownLink());
  const target = link && !KNOWS_PEERS ? writeLeading(places, link) : link;
  if (program === undefined || target === undefined) return false;
  const child = spawn(program, [target], { stdio: 'ignore', detached: true, env: env as NodeJS.ProcessEnv });
  child.on('error', () => {});
  child.unref();
  return true;
}

const fileOf = (places: Places): string => join(dirname(places.cliSocket), 'open-page.html');

/** The file that leads to the link; undefined where it cannot be kept from others. It is written anew for each link. */
export function writeLeading(places: Places, link: string): string | undefined {
  const file = fileOf(places);
  if (makePrivate(dirname(file)) !== undefined) return undefined;
  const escaped = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Piton</title>
<meta http-equiv="refresh" content="0; url=${escaped}"><p><a href="${escaped}">Open the page</a></p>\n`;
  try {
    rmSync(file, { force: true });
    writeFileSync(file, page, { mode: 0o600, flag: 'wx' });
    return file;
  } catch {
    return undefined;
  }
}

export const removeLeading = (places: Places): void => rmSync(fileOf(places), { force: true });
