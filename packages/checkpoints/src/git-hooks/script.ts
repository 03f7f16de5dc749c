import type { GitHook } from '@piton/contracts';

/** These are told on standard input what happened; everybody in the chain must be. */
export const WITH_INPUT: ReadonlySet<string> = new Set(['post-rewrite', 'pre-push']);

const BEGIN = '# >>> piton >>> written by `piton init`; `piton uninstall` removes it';
const END = '# <<< piton <<<';
const SHELL = '#!/bin/sh\n';

const HOME = '$HOME/';

/** One word of a shell command, whatever is in it. What begins with `$HOME/` is below whoever's home it runs in. */
export const quote = (word: string): string =>
  word.startsWith(HOME) ? `"\${HOME-}"/${quote(word.slice(HOME.length))}` : `'${word.replaceAll("'", "'\\''")}'`;

/** For files that others get too: without anybody's home in it, where the program lies below that. */
export const portableCommand = ([program = '', ...rest]: readonly string[], home: string): string[] => [
  program.startsWith(`${home}/`) ? HOME + program.slice(home.length + 1) : program,
  ...rest,
];

/**
 * Our part of a hook. It is silent, does nothing where the program is gone, and cannot fail the operation, also under
 * `set -eu`. What comes after it finds arguments and input untouched. Its helpers are the system's own, whatever `PATH` has.
 */
function block(hook: GitHook, command: readonly string[]): string {
  const [program = '', ...rest] = command.map(quote);
  const call = [program, ...rest, hook, '"$@"'].join(' ');
  const plain = [`if [ -x ${program} ]; then`, `  ${call} </dev/null >/dev/null 2>&1 || :`, 'fi'];
  // After a commit a person is told what the server says: which subscriptions failed. Nobody else's noise.
  const speaking = [
    `if [ -x ${program} ]; then`,
    `  piton_said=$(${call} </dev/null 2>/dev/null) && [ -n "$piton_said" ] && printf '%s\\n' "$piton_said" >&2 || :`,
    'fi',
  ];
  const withInput = [
    `if [ -x ${program} ] && [ ! -t 0 ] && piton_input=$(command -p mktemp 2>/dev/null); then`,
    '  command -p cat >"$piton_input" || :',
    `  ${call} <"$piton_input" >/dev/null 2>&1 || :`,
    '  exec <"$piton_input"',
    '  command -p rm -f "$piton_input"',
    'fi',
  ];
  const lines = WITH_INPUT.has(hook) ? withInput : hook === 'post-commit' ? speaking : plain;
  return [BEGIN, ...lines, END, ''].join('\n');
}

export const besideName = (hook: string): string => `${hook}.before-piton`;

/** Runs what was there before in its own right, with its own exit code. One that git would not have run is not run. */
const tail = (hook: GitHook): string =>
  [`if [ -x "\${0%/*}/${besideName(hook)}" ]; then`, `  exec "\${0%/*}/${besideName(hook)}" "$@"`, 'fi', 'exit 0', ''].join('\n');

/** A hook of our own: nothing was there, or something that cannot be added to. */
export const pitonScript = (hook: GitHook, command: readonly string[]): string => `${SHELL}${block(hook, command)}${tail(hook)}`;

/** A shell script of somebody else's keeps its name and its place, which some look at; our part comes first. */
export function isShellScript(text: string): boolean {
  return /^#![ \t]*(\/[^\s]*\/)?(env[ \t]+)?([^\s]*\/)?(ba|da|z|k|a)?sh([ \t][^\n]*)?\n/.test(text);
}

/** Stands in for an empty file of the person's, so that one of ours is told apart from it. */
export const WAS_EMPTY = '# this file was empty\n';

/** Behind the first line if that says what runs the rest; a hook manager's scripts need not. */
export function withBlock(text: string, hook: GitHook, command: readonly string[]): string {
  const end = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0;
  return text.slice(0, end) + block(hook, command) + text.slice(end);
}

export const hasBlock = (text: string): boolean => text.includes(`${BEGIN}\n`) && text.includes(`${END}\n`);

/** The text as it was before, byte for byte; null if the whole script is ours. */
export function withoutBlock(text: string, hook: GitHook): string | null {
  const from = text.indexOf(`${BEGIN}\n`);
  const to = text.indexOf(`${END}\n`, from);
  if (from < 0 || to < 0) return text;
  const rest = text.slice(0, from) + text.slice(to + END.length + 1);
  if (rest === WAS_EMPTY) return '';
  return rest === '' || rest === `${SHELL}${tail(hook)}` ? null : rest;
}
