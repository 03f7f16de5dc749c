import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GIT_HOOKS, type GitHook } from '@piton/contracts';
import { type Document, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { quote, WITH_INPUT } from './script.ts';

/** In the order in which lefthook looks. Others, in JSON or TOML, are left alone. */
const NAMES = ['lefthook', '.lefthook', '.config/lefthook'].flatMap((name) => [`${name}.yml`, `${name}.yaml`]);
const OTHER_FORMS = ['lefthook', '.lefthook', '.config/lefthook'].flatMap((name) =>
  ['json', 'jsonc', 'toml'].map((end) => `${name}.${end}`),
);

const BEGIN = '# >>> piton >>> written by `piton init`; `piton uninstall` removes it';
/** The file did not end with a line break: the one before this line goes with it. */
const BEGIN_AFTER_TEXT = '# >>> piton >>> written by `piton init`; `piton uninstall` removes it, and the line break above';
const END = '# <<< piton <<<';

/** lefthook's own configuration. Bytes, one character each. */
export interface LefthookFile {
  readonly file: string;
  readonly text: string;
}

export async function findLefthook(root: string): Promise<LefthookFile | null> {
  if (OTHER_FORMS.some((name) => existsSync(join(root, name)))) return null;
  const file = NAMES.map((name) => join(root, name)).find((name) => existsSync(name));
  const text = file === undefined ? null : await readFile(file, 'latin1').catch(() => null);
  return file === undefined || text === null ? null : { file, text };
}

/** Whether lefthook has written this hook: then it writes it anew whenever its configuration has changed. */
export const isLefthookScript = (script: string): boolean => /^\s*call_lefthook run /m.test(script);

export const hasLefthookBlock = (text: string): boolean => /^[ \t]*# >>> piton >>> /m.test(text);

/** The hooks of ours that lefthook runs. */
export function lefthookHooks(text: string, isInstalled: (hook: GitHook) => boolean): GitHook[] {
  const top = topOf(parseDocument(withoutLefthookBlocks(text)));
  return GIT_HOOKS.filter((hook) => isInstalled(hook) || (top && pairOf(top, hook)));
}

/**
 * The text with a command of ours in each of these hooks, added in place; null where there is no place for it, or it would change
 * what the file says besides. Comments, order and form of all else stay as they are.
 */
export function withLefthookCommands(text: string, hooks: readonly GitHook[], command: readonly string[]): string | null {
  const theirs = withoutLefthookBlocks(text);
  let edited = theirs;
  for (const hook of hooks) {
    const next = withCommand(edited, hook, command);
    if (next === null) return null;
    edited = next;
  }
  return isOtherwiseSame(theirs, edited, hooks) ? edited : null;
}

const OURS = /([ \t]*)# >>> piton >>> [^\n]*\n(?:[^\n]*\n)*?[ \t]*# <<< piton <<<(?:\r?\n|$)/g;

/** As it was before, byte for byte. */
export function withoutLefthookBlocks(text: string): string {
  const taken = text.replace(OURS, (block) => (block.includes(BEGIN_AFTER_TEXT) ? '\0' : ''));
  return taken.replace(/\r?\n\0/g, '');
}

function withCommand(text: string, hook: GitHook, command: readonly string[]): string | null {
  const top = topOf(parseDocument(text));
  if (top === null) return null;
  const found = pairOf(top, hook);
  const body = commandLines(hook, command);
  if (found === undefined) return appended(text, [`${hook}:`, ...indented(['commands:', ...indented(['piton:', ...indented(body)])])]);
  if (isEmpty(found)) return inserted(text, lineAfter(text, found), 2, ['commands:', ...indented(['piton:', ...indented(body)])]);
  const own = blockMapOf(found);
  if (own === null) return null;
  const commands = pairOf(own, 'commands');
  if (commands === undefined) return insertedFirst(text, own, ['commands:', ...indented(['piton:', ...indented(body)])]);
  if (isEmpty(commands))
    return inserted(text, lineAfter(text, commands), columnOf(text, startOf(commands)) + 2, ['piton:', ...indented(body)]);
  const all = blockMapOf(commands);
  return all === null || pairOf(all, 'piton') ? null : insertedFirst(text, all, ['piton:', ...indented(body)]);
}

/**
 * What lefthook puts in the place of `{1}` is data: it is read as lines, and never part of a command. One that git did not give stays as
 * it is written. Silent and never a failure, as in a file; what the server says after a commit a person is to see.
 */
function commandLines(hook: GitHook, command: readonly string[]): string[] {
  const [program = '', ...rest] = command.map(quote);
  const call = [program, ...rest, hook, '"$@"'].join(' ');
  const said = hook === 'post-commit' ? '2>/dev/null' : '>/dev/null 2>&1';
  const script = [
    "{ IFS= read -r a; IFS= read -r b; IFS= read -r c; } <<'PITON'",
    ...['{1}', '{2}', '{3}', 'PITON'],
    'set -- "$a" "$b" "$c"',
    'case $c in "{"*) set -- "$a" "$b" ;; esac',
    'case $b in "{"*) set -- "$a" ;; esac',
    'case $a in "{"*) set -- ;; esac',
    `if [ -x ${program} ]; then ${call}${WITH_INPUT.has(hook) ? '' : ' </dev/null'} ${said} || :; fi`,
  ];
  return [...(WITH_INPUT.has(hook) ? ['use_stdin: true'] : []), 'run: |', ...indented(script)];
}

const indented = (lines: readonly string[], by = 2): string[] => lines.map((line) => ' '.repeat(by) + line);

function topOf(document: Document.Parsed): YAMLMap.Parsed | null {
  if (document.errors.length > 0) return null;
  const { contents } = document;
  return isMap(contents) && !contents.flow ? (contents as YAMLMap.Parsed) : null;
}

const pairOf = (map: YAMLMap, name: string): Pair | undefined => map.items.find(({ key }) => isScalar(key) && key.value === name);

const isEmpty = ({ value }: Pair): boolean => value === null || (isScalar(value) && value.value === null && !value.anchor && !value.tag);

function blockMapOf({ value }: Pair): YAMLMap | null {
  return isMap(value) && !value.flow && value.items.length > 0 ? value : null;
}

const startOf = ({ key }: Pair): number => (isScalar(key) ? (key.range?.[0] ?? 0) : 0);

const columnOf = (text: string, at: number): number => at - (text.lastIndexOf('\n', at - 1) + 1);

function lineAfter(text: string, pair: Pair): number {
  const end = text.indexOf('\n', startOf(pair));
  return end < 0 ? text.length : end + 1;
}

/** Before its first key, on lines of their own. */
function insertedFirst(text: string, map: YAMLMap, lines: readonly string[]): string | null {
  const [first] = map.items;
  if (first === undefined) return null;
  const at = startOf(first as Pair);
  const column = columnOf(text, at);
  const lineStart = at - column;
  return text.slice(lineStart, at).trim() === '' ? inserted(text, lineStart, column, lines) : null;
}

const breakIn = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

function inserted(text: string, at: number, column: number, lines: readonly string[]): string | null {
  if (at > 0 && text[at - 1] !== '\n') return null;
  const block = indented([BEGIN, ...lines, END], column).map((line) => line + breakIn(text));
  return text.slice(0, at) + block.join('') + text.slice(at);
}

function appended(text: string, lines: readonly string[]): string {
  const isWhole = text === '' || text.endsWith('\n');
  const block = [isWhole ? BEGIN : BEGIN_AFTER_TEXT, ...lines, END].map((line) => line + breakIn(text));
  return text + (isWhole ? '' : breakIn(text)) + block.join('');
}

/** An anchor may be used elsewhere, and a second document may follow: what the file says of all else must be what it said. */
function isOtherwiseSame(before: string, after: string, hooks: readonly GitHook[]): boolean {
  if (withoutLefthookBlocks(after) !== before) return false;
  const [was, is] = [before, after].map((text) => parseDocument(text));
  if (!was || !is || is.errors.length > 0) return false;
  const said = (is.toJS() ?? {}) as Record<string, { commands?: Record<string, unknown> } | null>;
  const then = (was.toJS() ?? {}) as typeof said;
  for (const hook of hooks) {
    const commands = said[hook]?.commands;
    if (commands?.['piton'] === undefined) return false;
    delete commands['piton'];
    if (then[hook]?.commands == null && Object.keys(commands).length === 0) delete said[hook]?.commands;
    else if (then[hook]?.commands === null && said[hook]) said[hook].commands = commands;
    if (then[hook] === undefined) delete said[hook];
    else if (then[hook] === null) said[hook] = null;
  }
  for (const hook of hooks) if (then[hook]?.commands === null) delete then[hook]?.commands;
  return isDeepStrictEqual(said, then);
}
