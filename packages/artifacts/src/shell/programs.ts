import type { ShellWord, SimpleCommand } from './simple-commands.ts';

/** Programs that run the program in their arguments. */
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

/** A command without wrappers such as `exec`, `env X=1` or `timeout 5`. */
export function unwrapped({ words, line }: SimpleCommand): SimpleCommand {
  let rest = words;
  while (rest.length > 1 && WRAPPERS.has(rest[0]?.text ?? '')) {
    const wrapper = rest[0]?.text;
    // `command -v jq` only checks that jq exists.
    if (wrapper === 'command' && /^-[vV]/.test(rest[1]?.text ?? '')) return { words: [], line };
    const next = rest.slice(1).findIndex(({ text }) => !/^-|^\d+(?:\.\d+)?[smhd]?$|^[A-Za-z_]\w*=/.test(text));
    rest = next === -1 ? [] : rest.slice(next + 1);
  }
  return { words: rest, line };
}

/** The files that a command runs: its program, or the argument of an interpreter. `direct`: it must be executable. */
export function filesRunBy(command: SimpleCommand): { readonly word: ShellWord; readonly direct: boolean }[] {
  const [program, ...args] = unwrapped(command).words;
  if (program === undefined) return [];
  if (!INTERPRETERS.has(program.text)) return [{ word: program, direct: true }];
  // After `-c`, `-e` and the like comes program text, not a file.
  const [first] = args;
  const given = args.find(({ text }) => !text.startsWith('-'));
  return given === undefined || first === undefined || /^-\w*[ce]$|^--eval$|^-m$/.test(first.text) ? [] : [{ word: given, direct: false }];
}

const SHEBANG = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?(?:\S*\/)?([\w.-]+)/;

/** The interpreter that a script names on its first line. */
export const interpreterOf = (script: string): string | undefined => SHEBANG.exec(script)?.[1];

/** Is this a shell script, by its first line or its name? */
export function isShell(path: string, script: string): boolean {
  const interpreter = interpreterOf(script);
  return interpreter === undefined ? /\.(?:sh|bash)$/.test(path) || !path.includes('.') : SHELLS.has(interpreter);
}
