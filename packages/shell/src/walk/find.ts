import { STAR } from './marks.ts';

/** Tests that leave (almost) everything in. */
const BROAD = new Set([
  '-type',
  '-maxdepth',
  '-mindepth',
  '-depth',
  '-xdev',
  '-mount',
  '-follow',
  '-print',
  '-print0',
  '-delete',
  '-o',
  '-or',
  '-a',
  '-and',
  '!',
  '-not',
  '-prune',
  '-true',
  '-ls',
  '-warn',
  '-nowarn',
  '-daystart',
  '-ignore_readdir_race',
  '-noleaf',
  '-regextype',
]);
const GLOBAL = /^-(?:[HLP]|O\d?|D)$/;

/** Where `find` begins. */
export function rootsOf(args: readonly string[]): string[] {
  const roots: string[] = [];
  for (const arg of args) {
    if (GLOBAL.test(arg)) continue;
    if (/^[-(!]/.test(arg) || arg === ',') break;
    roots.push(arg);
  }
  return roots.length > 0 ? roots : ['.'];
}

/** Does some test choose among the files, and not only their kind or depth? */
export function isNarrowed(args: readonly string[]): boolean {
  const own = withoutActions(args);
  return own.some((arg, at) => {
    if (!arg.startsWith('-') || BROAD.has(arg) || GLOBAL.test(arg)) return false;
    const value = own[at + 1] ?? '';
    const refused = own[at - 1] === '!' || own[at - 1] === '-not';
    return !refused && !/^(?:[*.?]|\*\.\*)+$/.test(value.replaceAll(STAR, '*'));
  });
}

/** The commands behind `-exec` and its like. */
export function actionsOf(args: readonly string[]): string[][] {
  const found: string[][] = [];
  args.forEach((arg, at) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(arg)) return;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((each) => each === ';' || each === '+');
    found.push(end < 0 ? rest : rest.slice(0, end));
  });
  return found;
}

function withoutActions(args: readonly string[]): string[] {
  const kept: string[] = [];
  let inside = false;
  for (const arg of args) {
    if (/^-(?:exec|execdir|ok|okdir)$/.test(arg)) inside = true;
    else if (inside) inside = arg !== ';' && arg !== '+';
    else kept.push(arg);
  }
  return kept;
}
