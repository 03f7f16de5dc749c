import { expand, MOST_TEXTS, type Surroundings, type Text } from './expansion.ts';
import type { Finding } from './finding.ts';
import { ASSIGNERS, FED_WRAPPERS, LINE_RUNNERS, PATH_PRINTERS, SHELLS, WRAPPERS } from './habits.ts';
import { type Grounds, placeNamed, textOf, type Words } from './named-place.ts';
import { LIFTING_VARIABLE } from './own-command.ts';
import { segmentsOf, UNKNOWN } from './path-segments.ts';
import { judgeProgram } from './program-judge.ts';
import { readShell } from './shell-reader.ts';
import type { Command, Script, Word } from './shell-script.ts';

const MOST_CHARACTERS = 1_000_000;
const DEEPEST = 8;
const MOST_HANDED = 256;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\+?=/;

/** Would this command line change something of Piton's own, other than by reading it? */
export function judgeShell(text: string, cwd: string, grounds: Grounds): Finding | undefined {
  const variables = Object.entries(grounds.variables).map(([name, value]) => [name, [plain(value)]] as const);
  const purse = { left: MOST_CHARACTERS };
  const found = new Course(grounds, purse, cwd, new Map(variables), 0).read(text);
  return found === undefined && purse.left < 0 ? bluntly(text, grounds) : found;
}

/** What is too much to be read is judged by whether it speaks of us at all. */
function bluntly(text: string, grounds: Grounds): Finding | undefined {
  const mark = grounds.markIn(text);
  return mark === undefined ? undefined : { kind: 'place', by: 'a command that is too long to be read', place: mark };
}

const plain = (text: string): Text => ({ text, glob: false });

/** One shell, on its way through a script. */
class Course {
  readonly #grounds: Grounds;
  readonly #depth: number;
  readonly #on: Surroundings;
  /** Paths that the command before this one hands over through a pipe. */
  #handed: readonly Text[] = [];
  /** All that was said before in this pipe: a shell at its end runs it. */
  #said: readonly Text[] = [];

  constructor(grounds: Grounds, purse: Surroundings['purse'], cwd: string | null, variables: Surroundings['variables'], depth: number) {
    this.#grounds = grounds;
    this.#depth = depth;
    this.#on = { cwd, variables, purse, printed: (script) => this.#printedBy(script) };
  }

  /** A script inside a script knows what this one knows; where it goes is its own affair. */
  #inner(): Course {
    return new Course(this.#grounds, this.#on.purse, this.#on.cwd, new Map(this.#on.variables), this.#depth + 1);
  }

  read(text: string): Finding | undefined {
    this.#on.purse.left -= text.length;
    if (this.#depth > DEEPEST || this.#on.purse.left < 0) return bluntly(text, this.#grounds);
    return this.judge(readShell(text));
  }

  judge(script: Script): Finding | undefined {
    const outer: (string | null)[] = [];
    for (const item of script) {
      if (item.kind === 'open') outer.push(this.#on.cwd);
      else if (item.kind === 'close') this.#on.cwd = outer.pop() ?? this.#on.cwd;
      else {
        const found = item.kind === 'unread' ? bluntly(item.text, this.#grounds) : this.#judgeCommand(item.command, item.piped);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #judgeCommand(command: Command, piped: boolean): Finding | undefined {
    if (!piped) this.#handed = this.#said = [];
    const found = this.#nested(command) ?? this.#writes(command);
    if (found !== undefined) return found;
    const words = this.#assign(command.words.map((word) => expand(word, this.#on)).filter((texts) => texts[0]?.text !== ''));
    if ('kind' in words) return words;
    const fed = command.fed.flatMap((word) => expand(word, this.#on));
    const verdict = this.#run(words, fed);
    this.#said = [...this.#said, ...words.flat(), ...fed].slice(0, MOST_HANDED);
    const own = words.findIndex((said) => !WRAPPERS.has(nameOf([said])));
    if (PATH_PRINTERS.has(nameOf(words.slice(own)))) this.#handed = [...this.#handed, ...words.slice(own + 1).flat()].slice(0, MOST_HANDED);
    return verdict;
  }

  /** Substitutions run before the command does. */
  #nested({ words, writes, fed }: Command): Finding | undefined {
    for (const word of [...words, ...writes, ...fed]) {
      for (const script of scriptsIn(word)) {
        const found = this.#inner().judge(script);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #writes({ writes }: Command): Finding | undefined {
    for (const word of writes) {
      const place = placeNamed(expand(word, this.#on), this.#on.cwd, this.#grounds, 'look');
      if (place !== undefined) return { kind: 'place', by: 'the redirection', place: place.path };
    }
    return undefined;
  }

  /** Takes assignments off the front, and remembers them. */
  #assign(words: Words): Words | Finding {
    let at = 0;
    for (; at < words.length; at++) {
      const said = words[at] as readonly Text[];
      const name = ASSIGNMENT.exec(said[0]?.text ?? '')?.[1];
      if (name === undefined) break;
      if (name === LIFTING_VARIABLE) return { kind: 'command', command: name };
      this.#set(name, said);
    }
    return words.slice(at);
  }

  #set(name: string, said: readonly Text[]): void {
    const adds = said[0]?.text.startsWith(`${name}+=`) === true;
    const before = (adds ? this.#on.variables.get(name) : undefined) ?? [plain('')];
    const values = said.map(({ text, glob }) => ({ text: text.slice(text.indexOf('=') + 1), glob }));
    const made = before.flatMap((had) => values.map(({ text, glob }) => ({ text: had.text + text, glob: had.glob || glob })));
    this.#on.purse.left -= made.reduce((sum, { text }) => sum + text.length, 0);
    this.#on.variables.set(name, made.slice(0, MOST_TEXTS));
  }

  #run(words: Words, fed: readonly Text[]): Finding | undefined {
    const name = nameOf(words);
    const rest = words.slice(1);
    if (name === '') return undefined;
    if (name === 'cd' || name === 'pushd') return this.#go(rest);
    if (name === 'for' || name === 'select') {
      this.#on.variables.set(textOf(rest[0]), this.#few(rest.slice(2).flat()));
      return undefined;
    }
    if (name === 'read') {
      for (const variable of rest) this.#on.variables.set(textOf(variable), [...this.#handed, ...linesIn(fed)]);
      return undefined;
    }
    if (ASSIGNERS.has(name)) return this.#assignAll(rest);
    if (name === 'alias') return firstOf(rest, (said) => this.#inner().read(textOf(said).replace(ASSIGNMENT, '')));
    if (name === 'eval') return this.#inner().read(rest.map(textOf).join(' '));
    if (SHELLS.has(name)) return this.#shell(name, rest, fed);
    if (LINE_RUNNERS.has(name)) {
      const found = firstOf(rest, (said) => (/\s/.test(textOf(said)) ? this.#inner().read(textOf(said)) : undefined));
      if (found !== undefined) return found;
    }
    if (WRAPPERS.has(name)) return this.#wrapped(name, rest, fed);
    return judgeProgram(
      { name, program: textOf(words[0]), words: rest, fed, handed: this.#handed, said: this.#said, cwd: this.#on.cwd },
      this.#grounds,
    );
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
    const given = FED_WRAPPERS.has(name) ? [...this.#handed, ...linesIn(fed)].map((text) => [text]) : [];
    return this.#run([...inner, ...given], fed);
  }

  /** What a substitution prints: the paths that a command which prints paths was given. */
  #printedBy(script: Script): readonly Text[] {
    const printed: Text[] = [];
    for (const item of script) {
      if (item.kind !== 'command') continue;
      const words = item.command.words.map((word) => expand(word, this.#on));
      if (PATH_PRINTERS.has(nameOf(words))) printed.push(...words.slice(1).flat());
    }
    return printed.filter(({ text }) => !text.startsWith('-')).slice(0, 16);
  }
}

/** The program's own name, without its directory. */
function nameOf(words: Words): string {
  const text = textOf(words[0]);
  return text.slice(text.lastIndexOf('/') + 1);
}

const linesIn = (fed: readonly Text[]): Text[] => fed.flatMap(({ text }) => text.split(/\s+/, MOST_HANDED).filter(Boolean)).map(plain);

function scriptsIn(word: Word): Script[] {
  return word.flatMap((part) => {
    if (part.kind === 'output') return [part.script];
    return part.kind === 'variable' && part.otherwise !== undefined ? scriptsIn(part.otherwise) : [];
  });
}

function firstOf<T>(all: readonly T[], look: (each: T) => Finding | undefined): Finding | undefined {
  for (const each of all) {
    const found = look(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
