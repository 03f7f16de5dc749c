import { actionsOf, isNarrowed, rootsOf } from './find.ts';
import { isUncertain, OUTPUT, SOMETHING, UNKNOWN } from './marks.ts';
import { resolvePath } from './paths.ts';
import { kept, separatorsOf } from './scope.ts';
import type { Call, State } from './state.ts';
import { deeper, remember, walkText, walkWords } from './walk.ts';

/** Programs that make a text or their own words into further commands. Undefined: the output is the usual one. */
type Builtin = (call: Call, state: State) => string | undefined;

const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'fish', 'rbash', 'csh', 'tcsh'];

const shell: Builtin = ({ args, stdin }, state) => {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(arg) || arg === '--command') {
      let script = at + 1;
      while (/^[-+][a-zA-Z]/.test(args[script] ?? '')) script++;
      return withPositional(args.slice(script + 1), state, () => walkText(args[script] ?? '', state));
    }
    if (/^(?:-[oO]|--rcfile|--init-file)$/.test(arg)) at++;
    else if (/^[-+]/.test(arg) && arg !== '-' && arg !== '--' && arg !== '-s') continue;
    else if (arg.startsWith('/dev/fd/')) return walkText(arg.slice('/dev/fd/'.length), state);
    else if (arg !== '-' && arg !== '--' && arg !== '-s' && arg !== '/dev/stdin') return OUTPUT; // a file
  }
  return stdin === undefined ? OUTPUT : walkText(stdin, state);
};

function withPositional(words: readonly string[], state: State, walk: () => string): string {
  const { positional } = state;
  state.positional = words.length > 0 ? words : ['sh'];
  const output = walk();
  state.positional = positional;
  return output;
}

const evaluate: Builtin = ({ args }, state) => walkText(args.filter((arg) => arg !== '--').join(' '), state);
const readStdin: Builtin = ({ stdin }, state) => (stdin === undefined ? OUTPUT : walkText(stdin, state));

/** Behind the words that name where: the rest is a command line for a shell there. */
const remote: Builtin = ({ args }, state) => {
  let at = 0;
  while (/^-/.test(args[at] ?? '')) at += /^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[at] ?? '') ? 2 : 1;
  return walkText(args.slice(at + 1).join(' '), state);
};

const afterOption =
  (...names: readonly string[]): Builtin =>
  ({ args }, state) => {
    const at = args.findIndex((arg) => names.includes(arg));
    return at < 0 ? undefined : walkText(args[at + 1] ?? '', state);
  };

const changeDirectory: Builtin = ({ args }, state) => {
  const target = args.find((arg) => !/^-[LPe@]*$/.test(arg) || arg === '-');
  const unknown = target === '-' || /^[+-]\d|^[\uE003\uE009]/.test(target ?? '');
  state.here = target === undefined ? state.home : unknown ? UNKNOWN : resolvePath(state.here, target);
  return '';
};

const declare: Builtin = ({ args }, state) => {
  for (const arg of args) {
    const at = arg.indexOf('=');
    if (at > 0) remember(state, arg.slice(0, at).replace(/\+$/, ''), [kept(arg.slice(at + 1))]);
  }
  return '';
};

const alias: Builtin = ({ args }, state) => {
  for (const arg of args)
    if (arg.indexOf('=') > 0) state.aliases.set(arg.slice(0, arg.indexOf('=')), kept(arg.slice(arg.indexOf('=') + 1)));
  return '';
};

const setWords: Builtin = ({ args }, state) => {
  const at = args.indexOf('--');
  const words = at >= 0 ? args.slice(at + 1) : /^[-+]/.test(args[0] ?? '-') ? undefined : args;
  if (words) state.positional = ['', ...words];
  return '';
};

/** One variable gets the line, several a word each and the last one the rest; `-a` makes an array of the words. */
const readVariable: Builtin = ({ args, stdin, variables }, state) => {
  const given = args.filter((arg, at) => /^[A-Za-z_]\w*$/.test(arg) && !/^-\w*[dinNptu]$/.test(args[at - 1] ?? ''));
  const names = given.length === 0 ? ['REPLY'] : given;
  const [line = ''] = (stdin ?? UNKNOWN).split('\n');
  const words = splitWords(line, variables.IFS ?? separatorsOf(state));
  const [first] = names;
  if (first !== undefined && args.some((arg) => /^-\w*a$/.test(arg))) remember(state, first, words.map(kept));
  else
    for (const [at, name] of names.entries()) {
      const own = names.length === 1 ? line : at < names.length - 1 ? (words[at] ?? '') : words.slice(at).join(' ');
      remember(state, name, [kept(isUncertain(line) && names.length > 1 ? UNKNOWN : own)]);
    }
  return '';
};

/** An array of the lines, the first of which stands for all. */
const readLines: Builtin = ({ args, stdin }, state) => {
  const name = args.filter((arg, at) => /^[A-Za-z_]\w*$/.test(arg) && !/^-[dnOsuCc]$/.test(args[at - 1] ?? '')).at(-1) ?? 'MAPFILE';
  remember(state, name, (stdin ?? UNKNOWN).split('\n').map(kept));
  return '';
};

const splitWords = (line: string, separators: string): string[] => {
  const words = [''];
  for (const char of line)
    if (separators.includes(char)) words.push('');
    else words.push(`${words.pop()}${char}`);
  return words.filter((word) => word !== '');
};

const unset: Builtin = ({ args }, state) => {
  // Without it the shell splits at blanks again.
  if (args.includes('IFS')) remember(state, 'IFS', [' \t\n']);
  return '';
};

const incomingWords = (stdin: string | undefined): string[] =>
  stdin === undefined ? [OUTPUT] : stdin.split(/[\s\0]+/).filter((word) => word !== '');

/** `xargs rm -rf`: the words that come in stand behind those that are there, or where `-I` says. */
const xargs: Builtin = ({ args, stdin, variables, writes }, state) => {
  let at = 0;
  let place: string | undefined;
  for (; /^-/.test(args[at] ?? ''); at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      at++;
      break;
    }
    if (/^-I.|^-i/.test(arg)) place = arg.slice(2) || '{}';
    else if (arg === '-I') place = args[++at];
    else if (/^-[nPLsdEa]$/.test(arg)) at++;
  }
  const incoming = incomingWords(stdin);
  const own = args.slice(at);
  if (own.length === 0) return undefined;
  const words = place === undefined ? [...own, ...incoming] : own.map((word) => word.replaceAll(place, incoming.join(' ')));
  return deeper(state, () => walkWords(words, { variables, writes }, state));
};

const parallel: Builtin = ({ args, stdin, variables, writes }, state) => {
  const at = args.findIndex((arg) => /^:::+\+?$/.test(arg));
  const own = (at < 0 ? args : args.slice(0, at)).filter((arg, index) => index > 0 || !arg.startsWith('-'));
  const given = at < 0 ? incomingWords(stdin) : args.slice(at + 1);
  if (own.length === 0) return undefined;
  return deeper(state, () => walkWords([...own.filter((word) => word !== '{}'), ...given], { variables, writes }, state));
};

/** Each command behind `-exec`, with what would be found in the place of `{}`. */
const find: Builtin = ({ args, variables }, state) => {
  const found = rootsOf(args).map((root) => (isNarrowed(args) ? `${root}/${SOMETHING}` : root));
  for (const words of actionsOf(args)) {
    const filled = words.flatMap((word) => (word === '{}' ? found : [word.replaceAll('{}', found.join(' '))]));
    deeper(state, () => walkWords(filled, { variables, writes: [] }, state));
  }
  return undefined;
};

/** `git -c alias.x='!rm -rf /' x`: an alias given on the spot. */
const gitAlias: Builtin = ({ args, variables }, state) => {
  args.forEach((arg, at) => {
    const alias = /^alias\.([\w-]+)=(.*)$/s.exec(arg);
    if (args[at - 1] !== '-c' || !alias) return;
    const [, , text = ''] = alias;
    if (text.startsWith('!')) walkText(text.slice(1), state);
    else deeper(state, () => walkWords(['git', ...text.split(/\s+/)], { variables, writes: [] }, state));
  });
  return undefined;
};

const BUILTINS: Readonly<Record<string, Builtin>> = {
  ...Object.fromEntries(SHELLS.map((name) => [name, shell])),
  eval: evaluate,
  source: ({ args, stdin }, state) =>
    shell(
      { program: 'sh', args: args.slice(0, 1), variables: {}, cwd: state.here, writes: [], ...(stdin !== undefined && { stdin }) },
      state,
    ),
  trap: ({ args }, state) => walkText(args.find((arg) => arg !== '--') ?? '', state),
  at: readStdin,
  batch: readStdin,
  ssh: remote,
  su: afterOption('-c', '--command'),
  script: afterOption('-c', '--command'),
  flock: afterOption('-c', '--command'),
  env: afterOption('-S', '--split-string'),
  npx: afterOption('-c', '--call'),
  watch: ({ args }, state) =>
    walkText(args.slice(args.findIndex((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-n')).join(' '), state),
  cd: changeDirectory,
  pushd: changeDirectory,
  popd: (_, state) => {
    state.here = UNKNOWN;
    return '';
  },
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  alias,
  set: setWords,
  read: readVariable,
  mapfile: readLines,
  readarray: readLines,
  unset,
  xargs,
  parallel,
  find,
  git: gitAlias,
};

export const builtinOf = (program: string): Builtin | undefined => {
  if (program === '.') return BUILTINS.source;
  return Object.hasOwn(BUILTINS, program) ? BUILTINS[program] : undefined;
};
