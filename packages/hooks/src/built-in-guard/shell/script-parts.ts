import type { Command, Redirection, Script, Word, WordPart } from '@piton/shell';

export const isOutput = ({ kind }: WordPart): boolean => kind === 'substitution' || kind === 'process';

/** `2>&1` and `2>&-` write no file. */
export const isWrite = ({ operator, target: [part, more] }: Redirection): boolean =>
  operator.includes('>') && !(operator === '>&' && more === undefined && part?.kind === 'text' && /^(?:\d+-?|-)$/.test(part.text));

export const wordsIn = (redirections: readonly Redirection[]): Word[] =>
  redirections.flatMap(({ target, body }) => (body === undefined ? [target] : [body]));

export const commandsIn = (script: Script): Command[] =>
  script.flat().flatMap((element) => (element.kind === 'command' ? [element] : element.kind === 'group' ? commandsIn(element.body) : []));

/** Nothing in it that could run: so are most words, and no more is looked for in them. */
export function isPlain(word: Word): boolean {
  for (let at = 0; at < word.length; at++) {
    const part = word[at] as WordPart;
    if (part.kind !== 'text' && !(part.kind === 'variable' && part.operand.length === 0 && part.index === undefined)) return false;
  }
  return true;
}

export function scriptsIn(word: Word): Script[] {
  return word.flatMap((part) => {
    if (part.kind === 'substitution' || part.kind === 'process') return [part.script];
    if (part.kind === 'array') return part.values.flatMap(scriptsIn);
    if (part.kind === 'number') return scriptsIn(part.operands);
    return part.kind === 'variable' ? [...scriptsIn(part.operand), ...scriptsIn(part.index ?? [])] : [];
  });
}
