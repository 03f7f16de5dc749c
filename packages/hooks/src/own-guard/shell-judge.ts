import { expand, MOST_TEXTS, type Surroundings, type Text, wordsOf } from './expansion.ts';
import type { Finding } from './finding.ts';
import { setsHooksPath } from './git-judge.ts';
import { ASSIGNERS, FED_WRAPPERS, INTERPRETERS, LINE_READERS, LINE_RUNNERS, PATH_PRINTERS, SHELLS, SPEAKERS, WRAPPERS } from './habits.ts';
import { type Grounds, placeNamed, textOf, type Words } from './named-place.ts';
import { LIFTING_VARIABLE } from './own-command.ts';
import { segmentsOf, UNKNOWN } from './path-segments.ts';
import { judgeProgram } from './program-judge.ts';
import { readShell } from './shell-reader.ts';
import type { Command, Script, Word } from './shell-script.ts';
import { spokenText } from './spoken-text.ts';
import { WrittenFiles } from './written-files.ts';

const MOST_CHARACTERS = 1_000_000;
const DEEPEST = 8;
const MOST_HANDED = 256;
const MOST_PROGRAMS = 8;
/** For each of them all that follows is looked at anew. */
const COST_OF_ANY = 1000;
const MOST_LOOPS = 8;
const MOST_PRINTED = 16;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;
const GIT_SETTING = /^GIT_CONFIG_(?:KEY_\d+|PARAMETERS)$/;

/** Would this command line change something of Piton's own, other than by reading it? */
export function judgeShell(text: string, cwd: string, grounds: Grounds): Finding | undefined {
  const variables = Object.entries(grounds.variables).map(([name, value]) => [name, [plain(value)]] as const);
  const purse = { left: MOST_CHARACTERS };
  const found = new Course(grounds, { purse, files: new WrittenFiles() }, cwd, new Map(variables), 0).read(text);
  return found === undefined && purse.left < 0 ? bluntly(text, grounds) : found;
}

/** What is too much to be read is judged by whether it speaks of us at all. */
function bluntly(text: string, grounds: Grounds): Finding | undefined {
  const mark = grounds.markIn(text);
  return mark === undefined ? undefined : { kind: 'place', by: 'a command that is too long to be read', place: mark };
}

const plain = (text: string): Text => ({ text, glob: false });

/** What all shells of a command line have in common. */
interface Shared {
  readonly purse: Surroundings['purse'];
  readonly files: WrittenFiles;
}

/** One shell, on its way through a script. */
class Course {
  readonly #grounds: Grounds;
  readonly #shared: Shared;
  readonly #depth: number;
  readonly #on: Surroundings;
  /** Paths that the command before this one hands over through a pipe. */
  #handed: readonly Text[] = [];
  /** All that was said before in this pipe: a shell at its end runs it. */
  #said: readonly Text[] = [];
  /** Ends of loops that are told what to read: that is what is read in them. */
  #loops: readonly Command[] = [];

  constructor(grounds: Grounds, shared: Shared, cwd: string | null, variables: Surroundings['variables'], depth: number) {
    this.#grounds = grounds;
    this.#shared = shared;
    this.#depth = depth;
    this.#on = { cwd, variables, purse: shared.purse, printed: (script) => this.#printedBy(script) };
  }

  /** A script inside a script knows what this one knows; where it goes is its own affair. */
  #inner(): Course {
    return new Course(this.#grounds, this.#shared, this.#on.cwd, new Map(this.#on.variables), this.#depth + 1);
  }

  read(text: string): Finding | undefined {
    this.#on.purse.left -= text.length;
    if (this.#depth > DEEPEST || this.#on.purse.left < 0) return bluntly(text, this.#grounds);
    return this.judge(readShell(text));
  }

  judge(script: Script): Finding | undefined {
    const outer: (string | null)[] = [];
    this.#loops = script.flatMap((item) => (item.kind === 'command' && endsLoop(item.command) ? [item.command] : [])).slice(0, MOST_LOOPS);
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
    const fed = this.#fedTo(command);
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
    const spoken = SPEAKERS.has(name) ? [spokenText(name, own.slice(1))] : [];
    this.#said = [...this.#said, ...spoken, ...words.flat(), ...fed, ...shown].slice(0, MOST_HANDED);
    for (const word of command.writes)
      for (const { text } of expand(word, this.#on)) this.#shared.files.add(text, this.#on.cwd, this.#said);
    if (PATH_PRINTERS.has(name)) this.#handed = [...this.#handed, ...own.slice(1).flat()].slice(0, MOST_HANDED);
    return verdict;
  }

  /** What comes to its standard input, as far as this command line tells. */
  #fedTo({ fed, reads }: Command): Text[] {
    const read = reads.flatMap((word) => {
      const texts = expand(word, this.#on);
      return word.some((part) => part.kind === 'output') ? texts : this.#writtenIn(texts);
    });
    return [...fed.flatMap((word) => expand(word, this.#on)), ...read];
  }

  #writtenIn(said: readonly Text[] | undefined): readonly Text[] {
    return this.#shared.files.in(textOf(said), this.#on.cwd);
  }

  /** Substitutions run before the command does. */
  #nested({ words, writes, reads, fed }: Command): Finding | undefined {
    for (const word of [...words, ...writes, ...reads, ...fed]) {
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
      if (GIT_SETTING.test(name) && this.#movesGitHooks(said)) return { kind: 'place', by: name, place: 'core.hooksPath' };
      this.#set(name, said);
    }
    return words.slice(at);
  }

  #movesGitHooks(said: readonly Text[]): boolean {
    const value = textOf(said).replace(ASSIGNMENT, '').replace(/^'/, '');
    return setsHooksPath(value) && this.#grounds.hasOwnGitHooks(this.#on.cwd ?? this.#grounds.here);
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
    this.#on.purse.left -= made.reduce((sum, { text }) => sum + text.length, 0);
    this.#on.variables.set(name, made.slice(0, MOST_TEXTS));
  }

  /** `"${a[@]}"` may be a whole command, and `$c` any of several. */
  #runAny(words: Words, fed: readonly Text[]): Finding | undefined {
    const [program = [], ...rest] = words;
    if (program.length < 2) return this.#run(words, fed);
    this.#on.purse.left -= COST_OF_ANY;
    const each = program.slice(0, MOST_PROGRAMS);
    return this.#run([...program.map((text) => [text]), ...rest], fed) ?? firstOf(each.slice(1), (one) => this.#run([[one], ...rest], fed));
  }

  #run(words: Words, fed: readonly Text[]): Finding | undefined {
    const name = nameOf(words);
    const rest = words.slice(1);
    // One program may run another, and that the next: all of them look at the same words.
    this.#on.purse.left -= words.length;
    if (name === '' || this.#on.purse.left < 0) return undefined;
    if (name === 'cd' || name === 'pushd') return this.#go(rest);
    if (name === 'for' || name === 'select') {
      this.#on.variables.set(textOf(rest[0]), this.#few(rest.slice(2).flat()));
      return undefined;
    }
    if (LINE_READERS.has(name)) return this.#readInto(name === 'read' ? rest : [...rest.slice(-1), ...UNNAMED], fed);
    if (name === 'printf' && textOf(rest[0]) === '-v') {
      this.#on.variables.set(textOf(rest[1]), [spokenText(name, rest.slice(2))]);
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
    const lines = linesIn([...fed, ...this.#loops.flatMap((loop) => this.#fedTo(loop))]);
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
    const given = FED_WRAPPERS.has(name) ? [...this.#handed, ...linesIn(fed)].map((text) => [text]) : [];
    return this.#runAny([...inner, ...given], fed);
  }

  /** What files that `cat` is given hold: those that were written here, or are another command's output. */
  #shownBy([, ...files]: readonly Word[]): readonly Text[] {
    return files.flatMap((word) => {
      const texts = expand(word, this.#on);
      return word.some((part) => part.kind === 'output') ? texts : this.#writtenIn(texts);
    });
  }

  /** What a substitution prints: the paths that a command which prints paths was given. */
  #printedBy(script: Script): readonly Text[] {
    const printed: Text[] = [];
    for (const item of script) {
      if (item.kind !== 'command') continue;
      const words = item.command.words.map((word) => expand(word, this.#on));
      const name = nameOf(words);
      if (PATH_PRINTERS.has(name)) printed.push(...words.slice(1).flat());
      if (SPEAKERS.has(name) && words.length > 2) printed.push(spokenText(name, words.slice(1)));
      if (name === 'cat') {
        const shown = [...this.#fedTo(item.command), ...this.#shownBy(item.command.words)].slice(0, MOST_PRINTED / 2);
        printed.push(...linesIn(shown).slice(0, MOST_PRINTED / 2), ...shown);
      }
    }
    return printed.filter(({ text }) => !text.startsWith('-')).slice(0, MOST_PRINTED);
  }
}

/** Where `mapfile` is told no name. */
const UNNAMED: Words = [[plain('MAPFILE')]];

const endsLoop = ({ words: [word], fed, reads }: Command): boolean =>
  fed.length + reads.length > 0 && word?.length === 1 && word[0]?.kind === 'text' && word[0].text === 'done';

/** The program's own name, without its directory. */
function nameOf(words: Words): string {
  const text = textOf(words[0]);
  return text.slice(text.lastIndexOf('/') + 1);
}

const linesIn = (fed: readonly Text[]): Text[] =>
  fed.flatMap(({ text, glob }) => text.split(/\s+/, MOST_HANDED).flatMap((line) => (line === '' ? [] : [{ text: line, glob }])));

function scriptsIn(word: Word): Script[] {
  return word.flatMap((part) => {
    if (part.kind === 'output') return [part.script];
    if (part.kind === 'array') return wordsOf(part.script).flatMap(scriptsIn);
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
