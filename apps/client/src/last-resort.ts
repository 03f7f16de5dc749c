import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Line } from './call.ts';

const LIMIT = 1024 * 1024;

interface Undecided {
  readonly registration: Pick<Line, 'agent' | 'nativeEvent'>;
  readonly places: Pick<Places, 'environment'>;
  readonly frame: Pick<Frame, 'cwd'>;
}

/** The native deny that the server left for this registration, if one of its directories holds us. */
export function findDeny(call: Undecided): Buffer | undefined {
  const { agent, nativeEvent } = call.registration;
  if (agent.includes('/') || nativeEvent.includes('/')) return undefined;
  let file: Buffer;
  try {
    file = readFileSync(join(call.places.environment, 'deny', `${agent}.${nativeEvent}`));
  } catch {
    return undefined;
  }
  const empty = file.indexOf('\n\n');
  if (file.length > LIMIT || empty < 0 || file[0] === 0x0a) return undefined;
  const directories = file.toString('utf8', 0, empty).split('\n');
  return directories.some((directory) => isBelow(call.frame.cwd, directory)) ? file.subarray(empty + 2) : undefined;
}

function isBelow(cwd: string, directory: string): boolean {
  if (directory === '/') return true; // everywhere, also where the directory is gone
  const above = directory.replace(/(?<=.)\/+$/, '');
  return above !== '' && (cwd === above || cwd.startsWith(`${above}/`));
}
