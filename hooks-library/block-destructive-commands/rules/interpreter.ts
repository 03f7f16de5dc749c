import { type Surroundings, walkCommand } from '@piton/shell';
import type { Finding, Rule, Rules } from '../rule.ts';
import { protectedName } from '../targets.ts';
import { placeNamed } from './code-places.ts';
import { sqlFinding } from './database.ts';

/** Judges a command line. Passed in, because the judge itself uses these rules. */
export type Judge = (calls: ReturnType<typeof walkCommand>, surroundings: Surroundings) => Finding | undefined;

const RUNS =
  /\b(?:system|popen|subprocess|exec|execSync|execFile\w*|execvp?e?|execlp?e?|spawn\w*|check_output|check_call|shell_exec|passthru|execute)\b|`|%x|do shell script/;
/** These remove whole trees: any string in the code may be their argument. */
const STRONG = /\b(?:rmtree|rm_rf|rm_r|remove_entry_secure|rmSync|rmdirSync|rimraf|remove_tree|removeSync|removedirs|emptyDir\w*)\b/;
const TREE_REMOVERS = new RegExp(`${STRONG.source}(?:\\.sync)?|\\b(?:rm|rmdir|remove)\\b`, 'g');
/** These have other uses: only their arguments count. */
const WEAK = /\b(?:rm|rmdir|unlink|unlinkSync|remove|delete)\b\s*/g;
const HOME = /expanduser\(|Path\.home\(|homedir\(|\bENV\b.{0,3}HOME|env(?:iron)?\b.{0,6}HOME|getenv\(.HOME/;
const LITERAL = /"((?:[^"\\\n]|\\.){0,2000})"|'((?:[^'\\\n]|\\.){0,2000})'|`((?:[^`\\]|\\.){0,2000})`|\bq[qw]?\{([^}]{0,2000})\}/g;
const MAX_LENGTH = 100_000;
const MAX_CALL_LENGTH = 300;
const MAX_CALLS = 100;
const INSTEAD = 'Remove only what you made, by its own path inside the project.';

/** Code in another language on the command line: its strings are read, the code itself is not. */
export function codeFinding(code: string, surroundings: Surroundings, judge: Judge): Finding | undefined {
  const text = code.slice(0, MAX_LENGTH);
  const literals = literalsOf(text);
  const strong = STRONG.test(text);
  const targets = strong
    ? literals
    : [...text.matchAll(WEAK)].slice(0, MAX_CALLS).flatMap(({ 0: { length }, index }) => literalsOf(argumentsAt(text, index + length)));
  if (targets.length > 0 || strong) {
    const name = targets
      .map((literal) =>
        /^[~/.]/.test(literal)
          ? protectedName(literal.replace(/^~(?=$|\/)/, surroundings.home), surroundings.cwd, surroundings)
          : undefined,
      )
      .find((each) => each !== undefined);
    if (name !== undefined) return { what: `the code would remove ${name}`, instead: INSTEAD };
    if (strong && HOME.test(text) && literals.every((literal) => /^(?:|~\/?|HOME)$/.test(literal)))
      return { what: 'the code would remove the home directory', instead: INSTEAD };
  }
  const place = placeRemoved(text);
  if (place !== undefined) return { what: `the code would remove the ${place} directory`, instead: INSTEAD };
  if (!RUNS.test(text)) return undefined;
  // `["rm", "-rf", "/"]` is a command in pieces.
  const joined = [0, 1, 2, 3, 4].map((from) => literals.slice(from, 64).join(' '));
  const lines = [...literals.slice(0, 64), ...joined].map((line) => line.replace(/\\(["'`\\])/g, '$1'));
  for (const line of lines) {
    const finding =
      judge(walkCommand(line, surroundings), surroundings) ?? (/\b(?:drop|truncate|delete)\b/i.test(line) ? sqlFinding(line) : undefined);
    if (finding) return finding;
  }
  return undefined;
}

/** `rmSync(process.env.HOME)`: the place is no literal, and other literals may stand beside it. */
function placeRemoved(code: string): 'home' | 'working' | undefined {
  for (const { 0: name, index } of [...code.matchAll(TREE_REMOVERS)].slice(0, MAX_CALLS)) {
    const given = argumentsAt(code, index + name.length);
    const place = STRONG.test(name) || /recursive|-r/.test(given) ? placeNamed(given, code) : undefined;
    if (place !== undefined) return place;
  }
  return undefined;
}

const literalsOf = (code: string): string[] =>
  [...code.matchAll(LITERAL)].map((found) => found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');

/** The text in the parentheses here, or up to the end of the statement. */
function argumentsAt(code: string, from: number): string {
  let open = 0;
  for (let at = from; at < from + MAX_CALL_LENGTH && at < code.length; at++) {
    const char = code[at];
    if (char === '(') open++;
    if (char === ')') open--;
    if (char === ';' || char === '\n' || open < 0 || (open === 0 && char === ')')) return code.slice(from, at);
  }
  return code.slice(from, from + MAX_CALL_LENGTH);
}

const OPTIONS: Readonly<Record<string, RegExp>> = {
  python: /^-[A-Za-z]*c$/,
  node: /^(?:-[a-z]*[ep]|--eval|--print)$/,
  perl: /^-[A-Za-z0-9]*[eE]$/,
  ruby: /^-[A-Za-z]*e$/,
  php: /^-[rR]$/,
  lua: /^-e$/,
  deno: /^eval$/,
  bun: /^(?:-e|--eval|-p)$/,
  osascript: /^-e$/,
};

/** The language by the program's name: `python3.12` is python. */
const languageOf = (program: string): string => (/^[a-z]+/.exec(program)?.[0] === 'nodejs' ? 'node' : (/^[a-z]+/.exec(program)?.[0] ?? ''));

export function interpreterRule(judge: Judge): Rule {
  return ({ program, args, stdin, cwd }, surroundings) => {
    const option = OPTIONS[languageOf(program)];
    if (!option) return undefined;
    const where = { ...surroundings, cwd };
    const codes = args.flatMap((arg, at) =>
      option.test(arg) ? [args[at + 1] ?? ''] : /^--eval=|^-e./.test(arg) ? [arg.replace(/^--eval=|^-e/, '')] : [],
    );
    // Without a file it reads stdin.
    const fromInput = codes.length === 0 && args.every((arg) => arg === '-' || arg.startsWith('-')) && stdin !== undefined ? [stdin] : [];
    for (const code of [...codes, ...fromInput]) {
      const finding = codeFinding(code, where, judge);
      if (finding) return finding;
    }
    return undefined;
  };
}

/** `awk 'BEGIN { system("…") }'`. */
export function awkRules(judge: Judge): Rules {
  const awk: Rule = ({ args, cwd }, surroundings) =>
    args
      .map((arg) => (/system\s*\(|\|\s*"|"\s*\|/.test(arg) ? codeFinding(arg, { ...surroundings, cwd }, judge) : undefined))
      .find((each) => each !== undefined);
  return { awk, gawk: awk, mawk: awk };
}
