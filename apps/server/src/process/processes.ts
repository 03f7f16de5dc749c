import { readIfThere } from '../file-parts.ts';

/** A zombie is still listed in /proc, but it is not running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return fieldsOf(pid)[0] !== 'Z';
}

/** The start time of a process, as the kernel writes it: the pid alone may have been reused. */
export function startTimeOf(pid: number): string {
  return fieldsOf(pid)[19] ?? '-';
}

export function parentOf(pid: number): number | undefined {
  const parent = Number(fieldsOf(pid)[1]);
  return Number.isInteger(parent) && parent > 0 ? parent : undefined;
}

/** The fields of /proc/<pid>/stat after the name, which may contain spaces and parentheses. */
function fieldsOf(pid: number): string[] {
  const stat = readIfThere(`/proc/${pid}/stat`)?.toString() ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
