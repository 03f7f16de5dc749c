import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tests kill the server at named points: they write `<point> <nth>` into `env/<hash>/crash-at`. Only the owner of the
 * home can write that file.
 */
export type CrashPoint = 'after-journal' | 'before-answer' | 'after-answer' | 'in-migration' | 'before-store';

export function crashPoints(environment: string): (point: CrashPoint) => void {
  let wanted: string | undefined;
  let left = 0;
  try {
    const [point, nth] = readFileSync(join(environment, 'crash-at'), 'utf8').trim().split(' ');
    wanted = point;
    left = Number(nth ?? 1);
  } catch {
    return () => {};
  }
  return (point) => {
    if (point === wanted && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
