import { statSync } from 'node:fs';

/** Why a command did not start, in the words and codes of a shell. */
export interface StartFailure {
  readonly exitCode: 126 | 127;
  readonly reason: string;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  ENOTDIR: 'Not a directory',
  ENOEXEC: 'Exec format error',
  ELOOP: 'Too many levels of symbolic links',
  E2BIG: 'Argument list too long',
  ETXTBSY: 'Text file busy',
};

export function startFailure(what: string, error: unknown): StartFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return { exitCode: code === 'ENOENT' ? 127 : 126, reason: `${what}: ${(code && WORDS[code]) ?? message}` };
}

/** `spawn` reports a missing directory as a missing command, so it is looked at first. */
export function directoryFailure(cwd: string): StartFailure | undefined {
  if (cwd === '') return undefined; // the own one, even if it is gone
  try {
    if (statSync(cwd).isDirectory()) return undefined;
    return startFailure(cwd, { code: 'ENOTDIR' });
  } catch (error) {
    return startFailure(cwd, error);
  }
}
