import type { StoreFailure, StoreProblem } from '../../port.ts';

const BY_SQLITE_CODE: Readonly<Record<number, StoreProblem>> = {
  5: 'busy',
  6: 'busy',
  8: 'unwritable',
  10: 'unwritable', // I/O error
  11: 'corrupt',
  13: 'full',
  14: 'unwritable',
  23: 'unwritable',
  26: 'corrupt',
};
const BY_SYSTEM_CODE: Readonly<Record<string, StoreProblem>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  ENOENT: 'missing',
  MODULE_NOT_FOUND: 'no-engine',
  ERR_MODULE_NOT_FOUND: 'no-engine',
  PITON_NEWER: 'newer',
};

/** The native module of Node 20 omits the code if a query fails while it runs. SQLite's messages are stable. */
const BY_MESSAGE: readonly (readonly [RegExp, StoreProblem])[] = [
  [/malformed|not a database/, 'corrupt'],
  [/disk is full/, 'full'],
  [/is locked/, 'busy'],
  [/readonly|disk I\/O error|unable to open/, 'unwritable'],
];

/** `errcode` is SQLite's extended code. Its low byte is the kind of error. */
export function problemOf(error: unknown): StoreProblem {
  const { errcode, code, message } = error as { errcode?: unknown; code?: unknown; message?: unknown };
  if (typeof errcode === 'number') return BY_SQLITE_CODE[errcode & 0xff] ?? 'failed';
  if (code === 'ERR_SQLITE_ERROR') return BY_MESSAGE.find(([words]) => words.test(String(message)))?.[1] ?? 'failed';
  if (typeof code === 'string') return BY_SYSTEM_CODE[code] ?? (/^E[A-Z]+$/.test(code) ? 'unwritable' : 'failed');
  return 'failed';
}

export const failureOf = (error: unknown, path: string): StoreFailure => ({
  ok: false,
  problem: problemOf(error),
  error: `${path}: ${(error as Error).message}`,
});

export const failure = (problem: StoreProblem, error: string): StoreFailure => ({ ok: false, problem, error });
