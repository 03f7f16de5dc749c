import { type Command, type Element, readShell, type Script, type Word, type WordPart } from '@piton/shell';

export interface ShellWord {
  /** Without quotes; `$NAME` stays as written. */
  readonly text: string;
  /** The shell expands it. */
  readonly dynamic: boolean;
}

/** One program with its arguments. */
export interface SimpleCommand {
  /** The program and its arguments, without assignments and redirections. */
  readonly words: readonly ShellWord[];
  /** The number of lines before it. */
  readonly line: number;
}

export interface ShellReading {
  readonly commands: readonly SimpleCommand[];
  /** Functions that the text defines. */
  readonly functions: ReadonlySet<string>;
}

/** The commands that a shell text could run, including those inside `$(…)`. For lint, not for a guard. */
export function readCommands(source: string): ShellReading {
  const commands: SimpleCommand[] = [];
  const functions = new Set<string>();
  readScript(readShell(source).script);
  return { commands, functions };

  function readScript(script: Script): void {
    for (const pipeline of script) for (const element of pipeline) readElement(element);
  }

  function readElement(element: Element): void {
    switch (element.kind) {
      case 'command':
        return readCommand(element);
      case 'group':
        readScript(element.body);
        for (const { target } of element.redirections) readNested(target);
        return;
      case 'function':
        functions.add(element.name);
        return readScript(element.body);
      case 'loop':
      case 'operands':
        for (const word of element.words) readNested(word);
        return;
      case 'unread':
    }
  }

  function readCommand({ at, assignments, words, redirections }: Command): void {
    for (const { value } of assignments) readNested(value);
    for (const word of words) readNested(word);
    for (const { target } of redirections) readNested(target);
    if (words.length > 0) commands.push({ words: words.map(shellWord), line: source.slice(0, at).split('\n').length - 1 });
  }

  /** The commands inside a word. */
  function readNested(word: Word): void {
    for (const part of word) {
      if (part.kind === 'substitution' || part.kind === 'process') readScript(part.script);
      else if (part.kind === 'array') for (const value of part.values) readNested(value);
      else if (part.kind === 'number') readNested(part.operands);
      else if (part.kind === 'variable') readNested(part.operand);
    }
  }
}

const shellWord = (word: Word): ShellWord => ({
  text: word.map(textOf).join(''),
  dynamic: word.some(({ kind }) => kind !== 'text' && kind !== 'tilde'),
});

function textOf(part: WordPart): string {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'tilde') return `~${part.user}`;
  return part.kind === 'variable' ? part.source : '';
}
