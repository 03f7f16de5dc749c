import { spawnSync } from 'node:child_process';
import type { LintFinding } from '@piton/artifacts';

interface Comment {
  readonly line: number;
  readonly level: string;
  readonly code: number;
  readonly message: string;
}

/** Shellcheck's findings, if it is installed: `program`. `text` is shell code that starts at `line` of `file`. */
export function shellcheck(program: string | undefined, file: string, line: number, text: string): LintFinding[] {
  if (program === undefined) return [];
  const named = /^#!.*\b(bash|dash|ksh|sh)\b/.exec(text)?.[1] ?? 'sh';
  const { stdout } = spawnSync(program, ['--format=json1', `--shell=${named}`, '-'], { input: text, encoding: 'utf8', timeout: 20_000 });
  return commentsIn(stdout ?? '')
    .filter(({ level }) => level === 'error' || level === 'warning')
    .map((comment) => ({
      ...{ severity: 'warning', rule: `shellcheck/SC${comment.code}`, file, line: line + comment.line - 1, what: comment.message },
      remedy: `https://www.shellcheck.net/wiki/SC${comment.code}`,
    }));
}

function commentsIn(output: string): readonly Comment[] {
  try {
    const { comments } = JSON.parse(output) as { comments?: readonly Comment[] };
    return comments ?? [];
  } catch {
    return []; // unreadable output is no reason to fail
  }
}
