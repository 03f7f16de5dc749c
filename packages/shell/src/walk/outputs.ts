import { unescaped } from '../read/escapes.ts';
import { isNarrowed, rootsOf } from './find.ts';
import { FOUND, HIDDEN, OUTPUT, SOMETHING, STAR } from './marks.ts';
import type { Call, State } from './state.ts';

type Output = (call: Call, state: State) => string;

/** Where one of these gets a text that we know, what comes out is no longer the text that we read. */
const decoder: Output = ({ stdin }) => (stdin === undefined ? OUTPUT : HIDDEN);
const changer: Output = ({ stdin }) => (stdin === undefined || stdin.includes(OUTPUT) ? OUTPUT : HIDDEN);
const passing: Output = ({ stdin, args }) => (args.some((arg) => !arg.startsWith('-')) ? OUTPUT : (stdin ?? OUTPUT));

/** What a program prints, where that can be known without running it. */
const OUTPUTS: Readonly<Record<string, Output>> = {
  echo: ({ args }) => echoed(args),
  printf: ({ args }) => printed(args),
  pwd: ({ cwd }) => cwd,
  cat: passing,
  tee: ({ stdin }) => stdin ?? OUTPUT,
  // The same lines in another order. `head` and `tail` take some: `ls -t | tail -n +6` is how old files are chosen.
  sort: passing,
  uniq: passing,
  shuf: passing,
  command: ({ args }) => (/^-[vV]/.test(args[0] ?? '') ? (args[1] ?? OUTPUT) : OUTPUT),
  which: ({ args }) => args.find((arg) => !arg.startsWith('-')) ?? OUTPUT,
  type: ({ args }) => args.find((arg) => !arg.startsWith('-')) ?? OUTPUT,
  mktemp: () => `/tmp/${SOMETHING}`,
  whoami: () => SOMETHING,
  date: () => SOMETHING,
  basename: () => SOMETHING,
  ls: ({ args }) => (args.every((arg) => arg.startsWith('-')) ? STAR : OUTPUT),
  find: (call) =>
    rootsOf(call.args)
      .map((root) => (isNarrowed(call.args) ? `${root}/${FOUND}` : root))
      .join('\n'),
  git: ({ args, cwd }, { repo }) => (args.includes('--show-toplevel') ? (repo ?? cwd) : OUTPUT),
  base64: decoder,
  base32: decoder,
  xxd: decoder,
  openssl: decoder,
  uudecode: decoder,
  rev: changer,
  tr: changer,
  sed: changer,
  awk: changer,
  cut: changer,
  tac: changer,
  gunzip: decoder,
  zcat: decoder,
};

/** Only reading an encoded text hides it; writing one does not. */
export const outputOf = (call: Call, state: State): string => {
  const encodes = /^base(?:64|32)$/.test(call.program) && !call.args.some((arg) => /^(?:-\w*[dD]\w*|--d\w*)$/.test(arg));
  return encodes ? SOMETHING : (OUTPUTS[call.program]?.(call, state) ?? OUTPUT);
};

function echoed(args: readonly string[]): string {
  let from = 0;
  let escapes = false;
  while (/^-[neE]+$/.test(args[from] ?? '')) escapes = args[from++]?.includes('e') || escapes;
  const text = args.slice(from).join(' ');
  return escapes ? unescaped(text) : text;
}

function printed(args: readonly string[]): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  const shape = unescaped(format);
  let next = 0;
  let out = '';
  do {
    out += shape.replace(/%(%|[-+ #0-9.*]*([a-zA-Z]))/g, (_, whole: string, kind: string) => {
      if (whole === '%') return '%';
      const value = values[next++] ?? '';
      return kind === 'b' ? unescaped(value) : value;
    });
  } while (next > 0 && next < values.length && out.length < 8192);
  return out;
}
