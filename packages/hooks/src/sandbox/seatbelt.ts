import { type Confinement, hasNoNetwork, hidesHome, writesNothing } from './profile.ts';

/** The command line that runs `argv` confined on macOS. Written after Apple's own profiles; not run on a Mac yet. */
export function seatbelted(program: string, confinement: Confinement, argv: readonly string[]): string[] {
  const { profile, home, shown, cwd } = confinement;
  const rules = ['(version 1)', '(allow default)'];
  if (writesNothing(profile))
    rules.push(
      '(deny file-write*)',
      '(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (literal "/dev/null") (literal "/dev/tty"))',
    );
  if (hasNoNetwork(profile)) rules.push('(deny network*)');
  if (hidesHome(profile)) {
    rules.push(`(deny file-read* (subpath ${quoted(home)}))`);
    // Later rules win.
    rules.push(`(allow file-read* ${[...new Set([cwd, ...shown])].map((path) => `(subpath ${quoted(path)})`).join(' ')})`);
  }
  return [program, '-p', rules.join('\n'), ...argv];
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
