import { readIfThere } from '../file-parts.ts';

/** A process that was killed and not yet reaped is still listed: it is as dead as any. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return fieldsOf(pid)[0] !== 'Z';
}

/** When the process started, in the kernel's words: a pid alone may belong to another by now. */
export function startTimeOf(pid: number): string {
  return fieldsOf(pid)[19] ?? '-';
}

/** The fields of /proc/<pid>/stat after the name, which may itself hold anything. */
function fieldsOf(pid: number): string[] {
  const stat = readIfThere(`/proc/${pid}/stat`)?.toString() ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
