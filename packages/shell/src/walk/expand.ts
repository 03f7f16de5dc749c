import { expandBraces } from '../read/braces.ts';
import type { Script, Variable, Word, WordPart } from '../read/syntax.ts';
import { activated, SOMETHING, STAR, UNKNOWN, withoutMarks } from './marks.ts';
import { changedValue } from './parameters.ts';

/** What a word is expanded by. */
export interface Scope {
  readonly home: string;
  /** All that a name holds: one text, or those of an array. Undefined where nobody can know. */
  valuesOf(name: string): readonly string[] | undefined;
  /** The characters that end a word where a value is split: of every value that `IFS` may have. */
  separators(): string;
  /** `${X:=this}` */
  assign(name: string, value: string): void;
  /** What commands would print. */
  outputOf(script: Script): string;
}

const LONGEST = 8192;

/** One word as the shell would make words of it: braces written out, expanded, split. */
export function expandWord(word: Word, scope: Scope): string[] {
  const words = expandBraces(word);
  if (words === undefined) return [SOMETHING + expandText(word, scope)];
  return words.length === 1 ? fieldsOf(words[0] as Word, scope) : words.flatMap((each) => fieldsOf(each, scope));
}

/** A word as one text: in an assignment, a here-document, behind a redirection. */
export const expandText = (word: Word, scope: Scope): string => fieldsOf(word, scope, true).join(' ');

class Fields {
  readonly done: string[] = [];
  readonly #separators: RegExp;
  #current = '';
  #begun = false;

  constructor(separators: RegExp) {
    this.#separators = separators;
  }

  add(text: string): void {
    this.#begun = true;
    if (this.#current.length < LONGEST) this.#current += text;
    else if (!this.#current.endsWith(UNKNOWN)) this.#current += UNKNOWN;
  }

  end(): void {
    if (this.#begun) this.done.push(this.#current);
    this.#current = '';
    this.#begun = false;
  }

  /** Unquoted: white space inside ends a word. */
  addSplit(text: string): void {
    activated(text)
      .split(this.#separators)
      .forEach((piece, at) => {
        if (at > 0) this.end();
        if (piece !== '') this.add(piece);
      });
  }

  /** Each is a word of its own; the first and the last join what stands beside them. */
  addEach(values: readonly string[]): void {
    values.forEach((value, at) => {
      if (at > 0) this.end();
      this.add(value);
    });
  }
}

function fieldsOf(word: Word, scope: Scope, whole = false): string[] {
  const fields = new Fields(whole ? BLANK : separatorsIn(scope));
  addWord(fields, word, scope, whole ? 'whole' : 'word');
  fields.end();
  return fields.done;
}

/** Plain text of a word stays together; where it stands for the value of a variable it falls apart as that would. */
function addWord(fields: Fields, word: Word, scope: Scope, as: 'word' | 'whole' | 'value'): void {
  for (const [at, part] of word.entries()) {
    switch (part.kind) {
      case 'text':
        if (part.text === '' && isNothing(word[at + 1], scope)) break;
        if (part.quoted) fields.add(withoutMarks(part.text));
        else if (as === 'value') fields.addSplit(withoutMarks(part.text));
        else fields.add(activated(withoutMarks(part.text)));
        break;
      case 'tilde':
        fields.add(homeOf(part.user, scope));
        break;
      case 'variable':
        addVariable(fields, part, scope, as === 'whole');
        break;
      case 'substitution': {
        const output = scope.outputOf(part.script).replace(/\n+$/, '');
        if (part.quoted || as === 'whole') fields.add(output);
        else fields.addSplit(output);
        break;
      }
      case 'process':
        // A file that holds what the commands print: `bash <(echo …)`.
        fields.add(`/dev/fd/${scope.outputOf(part.script)}`);
        break;
      case 'number':
        expandText(part.operands, scope);
        fields.add(SOMETHING);
        break;
      case 'array':
        fields.add(part.values.flatMap((value) => expandWord(value, scope)).join(' '));
    }
  }
}

/** `"$@"` is no word at all where there is nothing. */
const isNothing = (part: WordPart | undefined, scope: Scope): boolean =>
  part?.kind === 'variable' && part.quoted && isEach(part) && chosen(part, scope)?.length === 0;

function addVariable(fields: Fields, variable: Variable, scope: Scope, whole: boolean): void {
  const known = chosen(variable, scope);
  const { name, operator, operand, quoted } = variable;
  if (takesOperand(operator, known)) {
    if (operator.endsWith('=')) scope.assign(name, expandText(operand, scope));
    if (operand.length > 0) addWord(fields, operand, scope, whole ? 'whole' : quoted ? 'word' : 'value');
    else if (quoted) fields.add('');
    return;
  }
  const values = valuesOf(variable, known, scope);
  if (whole || (quoted && !isEach(variable))) fields.add(values.join(' '));
  else if (quoted) fields.addEach(values);
  else
    for (const [at, value] of values.entries()) {
      if (at > 0) fields.end();
      fields.addSplit(value);
    }
}

/** `${X:-this}`; what nobody knows is taken to be unset there, and set for `${X:+this}`: that is where the word says something. */
function takesOperand(operator: string, known: readonly string[] | undefined): boolean {
  const isSet = known !== undefined && (!operator.startsWith(':') || known.join('') !== '');
  if (/^:?[-=]$/.test(operator)) return !isSet;
  return /^:?\+$/.test(operator) && (isSet || known === undefined);
}

function valuesOf({ operator, operand }: Variable, known: readonly string[] | undefined, scope: Scope): readonly string[] {
  if (operator === '' || /^:?[-=]$/.test(operator)) return known ?? [UNKNOWN];
  if (/^:?\+$/.test(operator)) return [''];
  const text = expandText(operand, scope);
  if (/^:?\?$/.test(operator)) return known !== undefined && known.join('') !== '' ? known : [SOMETHING];
  return known?.map((value) => changedValue(value, operator, text)) ?? [UNKNOWN];
}

/** What a name and the index behind it choose. */
function chosen({ name, index }: Variable, scope: Scope): readonly string[] | undefined {
  const all = scope.valuesOf(name);
  if (all === undefined || name === '@' || name === '*') return all;
  if (index === undefined) return all.slice(0, 1);
  const which = expandText(index, scope);
  if (which === '@' || which === STAR) return all;
  return /^\d+$/.test(which) ? all.slice(Number(which), Number(which) + 1) : undefined;
}

const isEach = ({ name, index }: Variable): boolean =>
  name === '@' || (index?.length === 1 && index[0]?.kind === 'text' && index[0].text === '@');

const BLANK = /[ \t\n]+/;
function separatorsIn(scope: Scope): RegExp {
  const own = scope.separators();
  if (own === ' \t\n') return BLANK;
  return own === '' ? /(?!)/ : new RegExp(`[${own.replaceAll(/[\\\]^-]/g, '\\$&')}]+`);
}

function homeOf(user: string, { home, valuesOf }: Scope): string {
  if (user === '') return home;
  if (user === '+') return valuesOf('PWD')?.[0] ?? UNKNOWN;
  if (/^[-+:\d]/.test(user)) return UNKNOWN;
  return user === 'root' ? '/root' : `/home/${SOMETHING}`;
}
