import type { TreeFile, Trustable } from '@piton/hooks';
import type { Context } from '../context.ts';
import { plural, replaceControls } from '../output/text.ts';
import { changesOf, type FileChange, linesOf } from './diff.ts';

const SHOWN_LINES = 40;

/** What a person must see before agreeing: what runs, when, with which files, and what changed. */
export function reviewText(context: Context, hook: Trustable): string {
  const { paint } = context;
  const state = {
    yes: paint('green', 'trusted'),
    no: paint('yellow', 'not trusted yet'),
    changed: paint('yellow', 'changed since it was trusted'),
  }[hook.trusted];
  const lines = [
    `${paint('bold', replaceControls(hook.id))}  ${state}`,
    `  runs on    ${hook.event}`,
    `  source     ${replaceControls(hook.source)}`,
    ...(hook.hash ? [`  hash       ${hook.hash.slice(0, 16)}`] : []),
    ...(hook.may.length > 0 ? [`  may also   ${hook.may.join(', ')}`] : []),
    ...(hook.problem ? [`  ${paint('red', 'problem')}    ${replaceControls(hook.problem)}`] : []),
    ...(hook.notPinned.length > 0 ? [`  not pinned ${hook.notPinned.map(replaceControls).join(', ')} (may change without review)`] : []),
    ...hook.leftOut.map(({ path, why }) => `  excluded   ${replaceControls(path)}: ${why}`),
  ];
  return `${[...lines, ...contentLines(context, hook)].join('\n')}\n`;
}

function contentLines(context: Context, hook: Trustable): string[] {
  if (hook.old && hook.now) return changesOf(hook.old, hook.now).flatMap((change) => changeLines(context, change));
  if (!hook.now) return [];
  const { now, main } = hook;
  const others = now.filter(({ path }) => !main.includes(path));
  return [
    ...main.flatMap((path) => now.filter((file) => file.path === path)).flatMap((file, at) => fileLines(context, file, at > 0)),
    ...others.map(
      (file) => `  with       ${replaceControls(file.path)}, ${plural(file.bytes.length, 'byte')}${file.executable ? ', executable' : ''}`,
    ),
  ];
}

function fileLines(context: Context, file: TreeFile, named: boolean): string[] {
  const lines = linesOf(file);
  const shown = lines?.slice(0, SHOWN_LINES).map((line) => context.paint('dim', '  | ') + replaceControls(line)) ?? [
    `  | ${file.bytes.length} bytes, binary or too large to show`,
  ];
  const more = lines && lines.length > SHOWN_LINES ? [`  | … ${plural(lines.length - SHOWN_LINES, 'more line')}`] : [];
  return [...(named ? [`  ${replaceControls(file.path)}`] : []), ...shown, ...more];
}

export function changeLines(context: Context, change: FileChange): string[] {
  const path = replaceControls(change.path);
  if (change.change !== 'edited') {
    const words = {
      added: 'new',
      removed: 'gone',
      binary: 'different bytes',
      mode: change.executable ? 'now executable' : 'no longer executable',
    };
    return [`  ${words[change.change].padEnd(10)} ${path}`];
  }
  const marks = { '+': 'green', '-': 'red', ' ': 'dim' } as const;
  return [
    `  edited     ${path}`,
    ...change.lines.map(({ mark, text }) => `  ${context.paint(marks[mark], `${mark} ${replaceControls(text)}`)}`),
  ];
}

export const asJson = (hook: Trustable, root: string): Record<string, unknown> => ({
  id: hook.id,
  root,
  scope: hook.scope,
  event: hook.event,
  source: hook.source,
  hash: hook.hash,
  trusted: hook.trusted,
  may: hook.may,
  files: hook.now?.map(({ path, executable, bytes }) => ({ path, executable, size: bytes.length })) ?? [],
  notPinned: hook.notPinned,
  leftOut: hook.leftOut,
  problem: hook.problem ?? null,
});
