import { unwrapped } from '@piton/shell';
import type { Finding } from '../finding.ts';
import { COST_OF_LOOK, type Grounds, textOf, type Words } from '../named-place.ts';
import { segmentsOf, UNKNOWN } from '../path-segments.ts';
import { actionsIn, foundBy } from '../programs/find.ts';
import { ASSIGNERS, FED_WRAPPERS, INTERPRETERS, LINE_READERS, LINE_RUNNERS, SHELLS, WRAPPERS } from '../programs/known-programs.ts';
import { withLink } from '../programs/links.ts';
import { judgeProgram } from '../programs/program-judge.ts';
import type { Text } from './expansion.ts';
import { linesIn, writtenIn } from './input.ts';
import { judgeFunction, judgeInside, judgeText } from './judge-shell.ts';
import { printedText } from './printed-text.ts';
import { nameOf } from './program-name.ts';
import { firstOf, innerOf, plain, type ShellRun } from './shell-run.ts';
import { assign, assignAll, readInto, setPositional, withoutName } from './variables.ts';

const MOST_PROGRAMS = 8;
/** For each of them all that follows is looked at anew. */
const COST_OF_ANY = 1000;
const COST_OF_WORD = 4;

/** `"${a[@]}"` may be a whole command, and `$c` any of several. */
export function runAny(run: ShellRun, words: Words, fed: readonly Text[]): Finding | undefined {
  const [program = [], ...rest] = words;
  if (program.length < 2) return runWords(run, words, fed);
  run.on.budget.left -= COST_OF_ANY;
  const each = program.slice(0, MOST_PROGRAMS);
  return (
    runWords(run, [...program.map((text) => [text]), ...rest], fed) ?? firstOf(each.slice(1), (one) => runWords(run, [[one], ...rest], fed))
  );
}

function runWords(run: ShellRun, words: Words, fed: readonly Text[]): Finding | undefined {
  const name = nameOf(words);
  const rest = words.slice(1);
  // One program may run another, and that the next: all of them look at the same words.
  run.on.budget.left -= words.length * COST_OF_WORD;
  if (name === '' || run.on.budget.left < 0) return undefined;
  if (name === 'cd' || name === 'pushd' || name === 'popd') return go(run, name, rest);
  if (LINE_READERS.has(name)) return readInto(run, name, rest, fed);
  if (name === 'printf' && textOf(rest[0]) === '-v') {
    run.on.variables.set(textOf(rest[1]), [printedText(name, rest.slice(2))]);
    return undefined;
  }
  const written = firstOf(
    [...scriptsRun(run, words), ...(/^(?:source|\.)$/.test(name) && INPUT.test(textOf(rest[0])) ? [...fed, ...run.said] : [])],
    ({ text }) => judgeInside(run, text),
  );
  if (written !== undefined) return written;
  if (ASSIGNERS.has(name)) return assignAll(run, rest);
  if (name === 'set' && textOf(rest[0]) === '--') return void setPositional(run, rest);
  if (run.shared.functions.has(textOf(words[0]))) {
    const found = judgeFunction(run, words);
    if (found !== undefined) return found;
  }
  const alias = run.shared.aliases.get(name);
  if (alias !== undefined && depthLeft(run)) {
    const own = alias.split(/\s+/).filter(Boolean);
    return runAny(innerOf(run), [...own.map((word) => [plain(word)]), ...rest], fed);
  }
  if (name === 'alias') return firstOf(rest, (said) => defineAlias(run, textOf(said)));
  if (name === 'eval') {
    const others = rest.flatMap((said) => said.slice(1));
    return firstOf([rest.map(textOf).join(' '), ...others.map(({ text }) => text)], (text) => judgeInside(run, text));
  }
  if (SHELLS.has(name)) return runShell(run, name, rest, fed);
  if (LINE_RUNNERS.has(name)) {
    const found = firstOf(rest, (said) => (/\s/.test(textOf(said)) ? judgeInside(run, textOf(said)) : undefined));
    if (found !== undefined) return found;
  }
  if (WRAPPERS.has(name)) return runWrapped(run, name, rest, fed);
  if (name === 'find') {
    const found = runActions(run, rest);
    if (found !== undefined) return found;
  }
  if (name === 'ln') run.grounds = withLink(run.grounds, rest, run.on.cwd);
  return judgeCall(run, words, fed);
}

/** An alias that names itself would never end. */
const depthLeft = ({ depth }: ShellRun): boolean => depth < 4;

function defineAlias(run: ShellRun, text: string): Finding | undefined {
  const value = withoutName(text);
  if (value !== text) run.shared.aliases.set(text.slice(0, text.indexOf('=')), value);
  return judgeInside(run, value);
}

function judgeCall(run: ShellRun, words: Words, fed: readonly Text[]): Finding | undefined {
  const name = nameOf(words);
  const rest = words.slice(1);
  const { handed, said, exported, grounds } = run;
  const code = INTERPRETERS.test(name) ? rest.flatMap((word) => writtenIn(run, word)) : [];
  return judgeProgram(
    { name, program: textOf(words[0]), words: rest, fed: [...fed, ...code], handed, said, cwd: run.on.cwd, exported },
    grounds,
  );
}

/** What `find` runs on what it finds. */
function runActions(run: ShellRun, rest: Words): Finding | undefined {
  const actions = actionsIn(rest);
  if (actions.length === 0) return undefined;
  const found = foundBy(rest, run.on.cwd, run.grounds);
  return firstOf(actions, (action) =>
    runAny(
      innerOf(run),
      action.flatMap((said) => (textOf(said) === '{}' ? found.map((text) => [text]) : [said])),
      [],
    ),
  );
}

/** A script that comes in on standard input. */
const INPUT = /^\/dev\/(?:stdin|fd\/0)$/;

/** The text of a script that this command line wrote, or that another command in it prints, and that is now run. */
function scriptsRun(run: ShellRun, words: Words): readonly Text[] {
  const name = nameOf(words);
  if (SHELLS.has(name) || name === 'source' || name === '.') {
    const file = words.slice(1).find((said) => !/^[-+]/.test(textOf(said)));
    return file === undefined || words.some((said) => /^-[a-z]*c$/.test(textOf(said)))
      ? []
      : [...writtenIn(run, file), ...file.filter(({ text }) => /\s/.test(text))];
  }
  return textOf(words[0]).includes('/') ? writtenIn(run, words[0]) : [];
}

function go(run: ShellRun, name: string, words: Words): undefined {
  const to = words.map(textOf).find((text) => !text.startsWith('-') || text === '-');
  const { on } = run;
  const from = on.cwd;
  if (name === 'popd' || to === '-') on.cwd = on.before ?? null;
  else if (to === undefined) on.cwd = run.grounds.variables.HOME ?? null;
  else if (to.includes(UNKNOWN) && !to.startsWith('/')) on.cwd = null;
  else on.cwd = placeFrom(to, on.cwd, run.grounds);
  if (from !== null) {
    on.before = from;
    on.variables.set('OLDPWD', [plain(from)]);
  }
  return undefined;
}

/** Behind links that this command line made. */
function placeFrom(to: string, cwd: string | null, { followed, disk, spend, receives, here }: Grounds): string {
  const named = followed(`/${segmentsOf(to, cwd).names.join('/')}`);
  if (cwd === null || /[*?[\u0001]/.test(named) || !spend(COST_OF_LOOK)) return named;
  // A link elsewhere is as good as its own name; one to a place of ours is that place.
  const real = disk.real(named);
  return real !== named && receives(segmentsOf(real, '/'), here) !== undefined ? real : named;
}

/** `bash -c '…'`, a script on its standard input, or a file that it reads. */
function runShell(run: ShellRun, name: string, words: Words, fed: readonly Text[]): Finding | undefined {
  const code = words.findIndex((said) => /^-[a-z]*c$/.test(textOf(said)));
  if (code >= 0)
    return firstOf(words[code + 1] ?? [], ({ text }) => {
      const inner = innerOf(run);
      setPositional(inner, words.slice(code + 2));
      return judgeText(inner, text);
    });
  const operands = words.filter((said) => !/^[-+]/.test(textOf(said)));
  const isFed = operands.length === 0 || INPUT.test(textOf(operands[0])) || words.some((said) => /^-[a-z]*s$/.test(textOf(said)));
  if (isFed)
    return firstOf([...fed, ...run.said], ({ text }) => {
      const inner = innerOf(run);
      setPositional(inner, [[plain(name)], ...operands]);
      return judgeText(inner, text);
    });
  return judgeCall(run, [[plain(name)], ...operands.slice(1)], []);
}

function runWrapped(run: ShellRun, name: string, words: Words, fed: readonly Text[]): Finding | undefined {
  const own = ownWords(name, words);
  const inner = assign(run, words.slice(own));
  if ('kind' in inner) return inner;
  // `env -S` splits its word itself.
  if (/\s/.test(textOf(inner[0]))) return judgeInside(run, textOf(inner[0]));
  const to = chosenDirectory(name, words.slice(0, own));
  const there = to === undefined ? run : innerOf(run);
  if (to !== undefined) go(there, 'cd', [to]);
  // What they take from the pipe stands behind their own words, or where they are told.
  const given = FED_WRAPPERS.has(name) ? [...run.handed, ...linesIn(fed).map(unquoted)].map((text) => [text]) : [];
  const place = name === 'xargs' ? placeholderIn(words.slice(0, own)) : undefined;
  if (place === undefined || place === '') return runAny(there, [...inner, ...given], fed);
  const fill = (said: readonly Text[]): Words =>
    textOf(said).includes(place) ? [given.flat().map(({ text, glob }) => ({ text: textOf(said).replaceAll(place, text), glob }))] : [said];
  return runAny(there, inner.flatMap(fill), fed);
}

/** How many words of its own stand before the command that it runs. */
function ownWords(name: string, words: Words): number {
  const texts = words.map(textOf);
  const known = name === 'env' ? undefined : unwrapped(name, texts);
  if (known !== undefined) return texts.length - known.words.length - known.assigned.length;
  let at = 0;
  while (at < texts.length && /^(?:-.*|\d[\d.smhd]*|\{\}|)$/.test(texts[at] as string))
    at += TAKES_WORD.test(`${name} ${texts[at]}`) ? 2 : 1;
  return at;
}
const TAKES_WORD = /^env (?:-[uC]|--unset|--chdir)$|^xargs -[IEdaLnPs]$|^watch -n$/;

/** `env -C there …`, `sudo -D there …`. */
function chosenDirectory(name: string, words: Words): readonly Text[] | undefined {
  const option = CHDIR[name];
  if (option === undefined) return undefined;
  const at = words.findIndex((said) => option.test(textOf(said)));
  const value = textOf(words[at]).replace(/^--chdir=/, '');
  return at < 0 ? undefined : textOf(words[at]).startsWith('--chdir=') ? [plain(value)] : words[at + 1];
}
const CHDIR: Readonly<Record<string, RegExp>> = { env: /^(?:-C|--chdir(?:=.*)?)$/, sudo: /^(?:-D|--chdir(?:=.*)?)$/ };

function placeholderIn(words: Words): string | undefined {
  const at = words.findIndex((said) => /^-[Ii]/.test(textOf(said)));
  const text = textOf(words[at]);
  return at < 0 ? undefined : text.length > 2 ? text.slice(2) : text === '-i' ? '{}' : textOf(words[at + 1]);
}

/** `xargs` takes quotes and backslashes away itself. */
const unquoted = ({ text, glob }: Text): Text => ({ text: text.replaceAll(/[\\'"]/g, ''), glob });
