import { type Assignment, type Command, type Element, type Group, type Redirection, readShell, type Script, type Word } from '@piton/shell';
import { expand, MOST_TEXTS, type Surroundings, type Text } from './expansion.ts';
import type { Finding } from './finding.ts';
import { setsHooksPath } from './git-judge.ts';
import {
  ASSIGNERS,
  FED_WRAPPERS,
  INTERPRETERS,
  LINE_READERS,
  LINE_RUNNERS,
  PATH_PRINTERS,
  SHELLS,
  SPEAKERS,
  WRAPPERS,
} from './known-programs.ts';
import { type Grounds, placeNamed, textOf, type Words } from './named-place.ts';
import { segmentsOf, UNKNOWN } from './path-segments.ts';
import { LIFTING_VARIABLE } from './piton-command.ts';
import { printedText } from './printed-text.ts';
import { judgeProgram } from './program-judge.ts';
import { commandsIn, isOutput, isPlain, isWrite, scriptsIn, wordsIn } from './script-parts.ts';
import { WrittenFiles } from './written-files.ts';

const MOST_CHARACTERS = 1_000_000;
const DEEPEST = 8;
const MOST_HANDED = 256;
const MOST_PROGRAMS = 8;
/** For each of them all that follows is looked at anew. */
const COST_OF_ANY = 1000;
const MOST_INPUTS = 8;
const MOST_PRINTED = 16;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;
const GIT_SETTING = /^GIT_CONFIG_(?:KEY_\d+|PARAMETERS)$/;

/** Would this command line change something of Piton's own, other than by reading it? */
export function judgeShell(text: string, cwd: string, grounds: Grounds): Finding | undefined {
  const variables = Object.entries(grounds.variables).map(([name, value]) => [name, [plain(value)]] as const);
  const budget = { left: MOST_CHARACTERS };
  const found = new ShellRun(grounds, { budget, files: new WrittenFiles() }, cwd, new Map(variables), 0).read(text);
  return found === undefined && budget.left < 0 ? judgeByMention(text, grounds) : found;
}

/** What is too much to be read is judged by whether it speaks of us at all. */
function judgeByMention(text: string, grounds: Grounds): Finding | undefined {
  const mark = grounds.markIn(text);
  return mark === undefined ? undefined : { kind: 'place', by: 'a command that is too long to parse', place: mark };
}

const plain = (text: string): Text => ({ text, glob: false });

/** What all shells of a command line have in common. */
interface Shared {
  readonly budget: Surroundings['budget'];
  readonly files: WrittenFiles;
}

/** One shell, on its way through a script. */
class ShellRun {
  readonly #grounds: Grounds;
  readonly #shared: Shared;
  readonly #depth: number;
  readonly #on: Surroundings;
  /** Paths that the command before this one hands over through a pipe. */
  #handed: readonly Text[] = [];
  /** All that was said before in this pipe: a shell at its end runs it. */
  #said: readonly Text[] = [];
  /** What groups around this are told to read: that is what is read in them. */
  #inputs: readonly Redirection[] = [];

  constructor(grounds: Grounds, shared: Shared, cwd: string | null, variables: Surroundings['variables'], depth: number) {
    this.#grounds = grounds;
    this.#shared = shared;
    this.#depth = depth;
    this.#on = { cwd, variables, budget: shared.budget, printed: (script) => this.#printedBy(script) };
  }

  /** A script inside a script knows what this one knows; where it goes is its own affair. */
  #inner(): ShellRun {
    return new ShellRun(this.#grounds, this.#shared, this.#on.cwd, new Map(this.#on.variables), this.#depth + 1);
  }

  read(text: string): Finding | undefined {
    this.#on.budget.left -= text.length;
    if (this.#depth > DEEPEST || this.#on.budget.left < 0) return judgeByMention(text, this.#grounds);
    return this.judge(readShell(text).script);
  }

  judge(script: Script, piped = false): Finding | undefined {
    for (const pipeline of script) {
      let reads = piped;
      for (const element of pipeline) {
        if (!reads) this.#handed = this.#said = [];
        const found = this.#judgeElement(element, reads);
        if (found !== undefined) return found;
        reads = true;
      }
    }
    return undefined;
  }

  #judgeElement(element: Element, piped: boolean): Finding | undefined {
    switch (element.kind) {
      case 'command':
        return this.#judgeCommand(element);
      case 'group':
        return this.#judgeGroup(element, piped);
      case 'function':
        return this.judge(element.body);
      case 'loop':
        this.#on.variables.set(element.name, this.#few(element.words.flatMap((word) => expand(word, this.#on))));
        return this.#nested(element.words);
      case 'operands':
        return this.#nested(element.words);
      case 'unread':
        return judgeByMention(element.text, this.#grounds);
    }
  }

  #judgeGroup({ opener, body, redirections }: Group, piped: boolean): Finding | undefined {
    const outside = { cwd: this.#on.cwd, inputs: this.#inputs };
    const found = this.#nested(wordsIn(redirections)) ?? this.#writes(redirections);
    if (found !== undefined) return found;
    this.#inputs = [...this.#inputs, ...redirections].slice(-MOST_INPUTS);
    const inside = this.judge(body, piped);
    this.#inputs = outside.inputs;
    if (opener === '(') this.#on.cwd = outside.cwd;
    return inside ?? this.#save(redirections);
  }

  #judgeCommand(command: Command): Finding | undefined {
    const { assignments, redirections } = command;
    const found =
      this.#nested(command.words) ??
      (redirections.length > 0 ? (this.#nested(wordsIn(redirections)) ?? this.#writes(redirections)) : undefined) ??
      (assignments.length > 0 ? firstOf(assignments, (each) => this.#assignOne(each)) : undefined);
    if (found !== undefined) return found;
    const words = command.words.map((word) => expand(word, this.#on)).filter((texts) => texts[0]?.text !== '');
    const fed = redirections.length > 0 ? this.#fedTo(redirections) : [];
    const verdict = this.#runAny(words, fed);
    const own = words.slice(
      Math.max(
        0,
        words.findIndex((said) => !WRAPPERS.has(nameOf([said]))),
      ),
    );
    const name = nameOf(own);
    const shown = name === 'cat' ? own.slice(1).flatMap((said) => this.#writtenIn(said)) : [];
    if (name === 'tee') for (const said of own.slice(1)) this.#shared.files.add(textOf(said), this.#on.cwd, this.#said);
    const spoken = SPEAKERS.has(name) ? [printedText(name, own.slice(1))] : [];
    this.#said = [...this.#said, ...spoken, ...words.flat(), ...fed, ...shown].slice(0, MOST_HANDED);
    if (redirections.length > 0) this.#save(redirections);
    if (PATH_PRINTERS.has(name)) this.#handed = [...this.#handed, ...own.slice(1).flat()].slice(0, MOST_HANDED);
    return verdict;
  }

  /** What was said so far is in these files now. */
  #save(redirections: readonly Redirection[]): undefined {
    for (const { target } of redirections.filter(isWrite))
      for (const { text } of expand(target, this.#on)) this.#shared.files.add(text, this.#on.cwd, this.#said);
  }

  /** What comes to its standard input, as far as this command line tells. */
  #fedTo(redirections: readonly Redirection[]): Text[] {
    return redirections.flatMap(({ operator, target, body }) => {
      if (body !== undefined || operator === '<<<') return expand(body ?? target, this.#on);
      return operator === '<' || operator === '<&' ? this.#heldBy(target) : [];
    });
  }

  /** What a file holds that was written here, or is another command's output. */
  #heldBy(word: Word): readonly Text[] {
    const texts = expand(word, this.#on);
    return word.some(isOutput) ? texts : this.#writtenIn(texts);
  }

  #writtenIn(said: readonly Text[] | undefined): readonly Text[] {
    return this.#shared.files.in(textOf(said), this.#on.cwd);
  }

  /** Substitutions run before the command does. */
  #nested(words: readonly Word[]): Finding | undefined {
    for (const word of words) {
      if (isPlain(word)) continue;
      for (const script of scriptsIn(word)) {
        const found = this.#inner().judge(script);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #writes(redirections: readonly Redirection[]): Finding | undefined {
    for (const { target } of redirections.filter(isWrite)) {
      const place = placeNamed(expand(target, this.#on), this.#on.cwd, this.#grounds, 'look');
      if (place !== undefined) return { kind: 'place', by: 'the redirection', place: place.path };
    }
    return undefined;
  }

  #assignOne({ name, index, append, value }: Assignment): Finding | undefined {
    const nested = this.#nested(index === undefined ? [value] : [value, index]);
    if (nested !== undefined) return nested;
    const head = `${name}${index === undefined ? '' : '[]'}${append ? '+' : ''}=`;
    const left = this.#assign([expand(value, this.#on).map(({ text, glob }) => ({ text: head + text, glob }))]);
    return 'kind' in left ? left : undefined;
  }

  /** Takes assignments off the front, and remembers them. */
  #assign(words: Words): Words | Finding {
    let at = 0;
    for (; at < words.length; at++) {
      const said = words[at] as readonly Text[];
      const name = ASSIGNMENT.exec(said[0]?.text ?? '')?.[1];
      if (name === undefined) break;
      if (name === LIFTING_VARIABLE) return { kind: 'command', command: name };
      if (GIT_SETTING.test(name) && this.#movesGitHooks(said)) return { kind: 'place', by: name, place: 'core.hooksPath' };
      this.#set(name, said);
    }
    return words.slice(at);
  }

  #movesGitHooks(said: readonly Text[]): boolean {
    const value = textOf(said).replace(ASSIGNMENT, '').replace(/^'/, '');
    return setsHooksPath(value) && this.#grounds.hasPitonGitHooks(this.#on.cwd ?? this.#grounds.here);
  }

  #set(name: string, said: readonly Text[]): void {
    const to = textOf(said).slice(name.length);
    const before = (/^[+[]/.test(to) ? this.#on.variables.get(name) : undefined) ?? [];
    const values = said.map(({ text, glob }) => ({ text: text.slice(text.indexOf('=') + 1), glob }));
    const joined = to.startsWith('+=')
      ? before.flatMap((had) => values.map(({ text, glob }) => ({ text: had.text + text, glob: had.glob || glob })))
      : [];
    // What is added to an array stands beside what is there.
    const made = before.length === 0 ? values : [...joined, ...values, ...before].slice(0, MOST_TEXTS);
    this.#on.budget.left -= made.reduce((sum, { text }) => sum + text.length, 0);
    this.#on.variables.set(name, made.slice(0, MOST_TEXTS));
  }

  /** `"${a[@]}"` may be a whole command, and `$c` any of several. */
  #runAny(words: Words, fed: readonly Text[]): Finding | undefined {
    const [program = [], ...rest] = words;
    if (program.length < 2) return this.#run(words, fed);
    this.#on.budget.left -= COST_OF_ANY;
    const each = program.slice(0, MOST_PROGRAMS);
    return this.#run([...program.map((text) => [text]), ...rest], fed) ?? firstOf(each.slice(1), (one) => this.#run([[one], ...rest], fed));
  }

  #run(words: Words, fed: readonly Text[]): Finding | undefined {
    const name = nameOf(words);
    const rest = words.slice(1);
    // One program may run another, and that the next: all of them look at the same words.
    this.#on.budget.left -= words.length;
    if (name === '' || this.#on.budget.left < 0) return undefined;
    if (name === 'cd' || name === 'pushd') return this.#go(rest);
    if (LINE_READERS.has(name)) return this.#readInto(name === 'read' ? rest : [...rest.slice(-1), ...UNNAMED], fed);
    if (name === 'printf' && textOf(rest[0]) === '-v') {
      this.#on.variables.set(textOf(rest[1]), [printedText(name, rest.slice(2))]);
      return undefined;
    }
    const written = firstOf(this.#written(words), ({ text }) => this.#inner().read(text));
    if (written !== undefined) return written;
    if (ASSIGNERS.has(name)) return this.#assignAll(rest);
    if (name === 'alias') return firstOf(rest, (said) => this.#inner().read(textOf(said).replace(ASSIGNMENT, '')));
    if (name === 'eval') {
      const others = rest.flatMap((said) => said.slice(1));
      return firstOf([rest.map(textOf).join(' '), ...others.map(({ text }) => text)], (text) => this.#inner().read(text));
    }
    if (SHELLS.has(name)) return this.#shell(name, rest, fed);
    if (LINE_RUNNERS.has(name)) {
      const found = firstOf(rest, (said) => (/\s/.test(textOf(said)) ? this.#inner().read(textOf(said)) : undefined));
      if (found !== undefined) return found;
    }
    if (WRAPPERS.has(name)) return this.#wrapped(name, rest, fed);
    const code = INTERPRETERS.test(name) ? rest.flatMap((said) => this.#writtenIn(said)) : [];
    return judgeProgram(
      { name, program: textOf(words[0]), words: rest, fed: [...fed, ...code], handed: this.#handed, said: this.#said, cwd: this.#on.cwd },
      this.#grounds,
    );
  }

  #readInto(variables: Words, fed: readonly Text[]): undefined {
    const lines = linesIn([...fed, ...this.#fedTo(this.#inputs)]);
    for (const variable of variables) this.#on.variables.set(textOf(variable), [...this.#handed, ...lines].slice(0, MOST_TEXTS));
  }

  /** The text of a script that this command line wrote, or that another one in it prints, and that is now run. */
  #written(words: Words): readonly Text[] {
    const name = nameOf(words);
    if (SHELLS.has(name) || name === 'source' || name === '.') {
      const file = words.slice(1).find((said) => !/^[-+]/.test(textOf(said)));
      return file === undefined || words.some((said) => /^-[a-z]*c$/.test(textOf(said)))
        ? []
        : [...this.#writtenIn(file), ...file.filter(({ text }) => /\s/.test(text))];
    }
    return textOf(words[0]).includes('/') ? this.#writtenIn(words[0]) : [];
  }

  /** Of very many those that are ours. */
  #few(texts: readonly Text[]): readonly Text[] {
    if (texts.length <= MOST_TEXTS) return texts;
    const ours = texts.filter((text) => placeNamed([text], this.#on.cwd, this.#grounds, 'name') !== undefined);
    return (ours.length > 0 ? ours : texts).slice(0, MOST_TEXTS);
  }

  #assignAll(words: Words): Finding | undefined {
    const left = this.#assign(words.filter((said) => !textOf(said).startsWith('-')));
    return 'kind' in left ? left : undefined;
  }

  #go(words: Words): undefined {
    const to = words.map(textOf).find((text) => !text.startsWith('-') || text === '-');
    if (to === undefined) this.#on.cwd = this.#grounds.variables.HOME ?? null;
    else if (to === '-' || (to.includes(UNKNOWN) && !to.startsWith('/'))) this.#on.cwd = null;
    else this.#on.cwd = `/${segmentsOf(to, this.#on.cwd).names.join('/')}`;
    return undefined;
  }

  /** `bash -c '…'`, a script on its standard input, or a file that it reads. */
  #shell(name: string, words: Words, fed: readonly Text[]): Finding | undefined {
    const code = words.findIndex((said) => /^-[a-z]*c$/.test(textOf(said)));
    if (code >= 0) return firstOf(words[code + 1] ?? [], ({ text }) => this.#inner().read(text));
    const operands = words.filter((said) => !/^[-+]/.test(textOf(said)));
    if (operands.length === 0) return firstOf([...fed, ...this.#said], ({ text }) => this.#inner().read(text));
    return judgeProgram({ name, program: name, words: operands.slice(1), fed: [], handed: [], said: [], cwd: this.#on.cwd }, this.#grounds);
  }

  #wrapped(name: string, words: Words, fed: readonly Text[]): Finding | undefined {
    let at = 0;
    while (at < words.length && /^(?:-.*|\d[\d.smhd]*|\{\}|)$/.test(textOf(words[at]))) at++;
    const inner = this.#assign(words.slice(at));
    if ('kind' in inner) return inner;
    // `env -S` splits its word itself.
    if (/\s/.test(textOf(inner[0]))) return this.#inner().read(textOf(inner[0]));
    // What they take from the pipe stands behind their own words.
    const given = FED_WRAPPERS.has(name) ? [...this.#handed, ...linesIn(fed).map(unquoted)].map((text) => [text]) : [];
    return this.#runAny([...inner, ...given], fed);
  }

  /** What a substitution prints: the paths that a command which prints paths was given. */
  #printedBy(script: Script): readonly Text[] {
    const printed: Text[] = [];
    for (const { words: all, redirections } of commandsIn(script)) {
      const words = all.map((word) => expand(word, this.#on));
      const name = nameOf(words);
      if (PATH_PRINTERS.has(name)) printed.push(...words.slice(1).flat());
      if (SPEAKERS.has(name) && words.length > 2) printed.push(printedText(name, words.slice(1)));
      if (name === 'cat') {
        const shown = [...this.#fedTo(redirections), ...all.slice(1).flatMap((word) => this.#heldBy(word))].slice(0, MOST_PRINTED / 2);
        printed.push(...linesIn(shown).slice(0, MOST_PRINTED / 2), ...shown);
      }
    }
    return printed.filter(({ text }) => !text.startsWith('-')).slice(0, MOST_PRINTED);
  }
}

/** Where `mapfile` is told no name. */
const UNNAMED: Words = [[plain('MAPFILE')]];

/** The program's own name, without its directory. */
function nameOf(words: Words): string {
  const text = textOf(words[0]);
  return text.slice(text.lastIndexOf('/') + 1);
}

const linesIn = (fed: readonly Text[]): Text[] =>
  fed.flatMap(({ text, glob }) => text.split(/\s+/, MOST_HANDED).flatMap((line) => (line === '' ? [] : [{ text: line, glob }])));

/** `xargs` takes quotes and backslashes away itself. */
const unquoted = ({ text, glob }: Text): Text => ({ text: text.replaceAll(/[\\'"]/g, ''), glob });

function firstOf<T>(all: readonly T[], look: (each: T) => Finding | undefined): Finding | undefined {
  for (const each of all) {
    const found = look(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
