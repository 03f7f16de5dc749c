import { fstatSync, type Stats, statSync } from 'node:fs';

/** Whether a person could answer there. What cannot be a terminal is told without loading `node:tty`. */
export async function isTerminal(fd: number): Promise<boolean> {
  const stat = tried(() => fstatSync(fd));
  if (stat === undefined || !stat.isCharacterDevice() || stat.rdev === tried(() => statSync('/dev/null'))?.rdev) return false;
  return (await import('node:tty')).isatty(fd);
}

function tried(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined; // closed, or no such device
  }
}
