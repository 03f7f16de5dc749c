import type { ShellWord, SimpleCommand } from './simple-commands.ts';

/** They run the program that follows them. */
const WRAPPERS = new Set([
  'exec',
  'command',
  'builtin',
  'env',
  'nohup',
  'nice',
  'sudo',
  'doas',
  'time',
  'setsid',
  'xargs',
  'timeout',
  'stdbuf',
  'ionice',
]);
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh']);
const INTERPRETERS = new Set([...SHELLS, 'source', '.', 'python', 'python3', 'node', 'ruby', 'perl', 'php', 'deno', 'bun', 'awk']);

/** A command by the program that it runs in the end, without `exec`, `env X=1`, `timeout 5` and the like before it. */
export function unwrapped({ words, line }: SimpleCommand): SimpleCommand {
  let rest = words;
  while (rest.length > 1 && WRAPPERS.has(rest[0]?.text ?? '')) {
    const wrapper = rest[0]?.text;
    // `command -v jq` asks whether there is one.
    if (wrapper === 'command' && /^-[vV]/.test(rest[1]?.text ?? '')) return { words: [], line };
    const next = rest.slice(1).findIndex(({ text }) => !/^-|^\d+(?:\.\d+)?[smhd]?$|^[A-Za-z_]\w*=/.test(text));
    rest = next === -1 ? [] : rest.slice(next + 1);
  }
  return { words: rest, line };
}

/** The files that a command runs: its program, or what it gives to an interpreter. `direct`: it must be executable. */
export function filesRunBy(command: SimpleCommand): { readonly word: ShellWord; readonly direct: boolean }[] {
  const [program, ...args] = unwrapped(command).words;
  if (program === undefined) return [];
  if (!INTERPRETERS.has(program.text)) return [{ word: program, direct: true }];
  // `-c`, `-e` and their like bring the program itself, not a file.
  const [first] = args;
  const given = args.find(({ text }) => !text.startsWith('-'));
  return given === undefined || first === undefined || /^-\w*[ce]$|^--eval$|^-m$/.test(first.text) ? [] : [{ word: given, direct: false }];
}

const SHEBANG = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?(?:\S*\/)?([\w.-]+)/;

/** The interpreter that a script names on its first line. */
export const interpreterOf = (script: string): string | undefined => SHEBANG.exec(script)?.[1];

/** Is this file for a shell, as far as its first line or its name says? */
export function isShell(path: string, script: string): boolean {
  const interpreter = interpreterOf(script);
  return interpreter === undefined ? /\.(?:sh|bash)$/.test(path) || !path.includes('.') : SHELLS.has(interpreter);
}
