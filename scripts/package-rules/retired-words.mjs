// Metaphors of speech, furniture and housekeeping that plain words replaced: see the glossary in CONTRIBUTING.md.
import { lineOf } from './syntax.mjs';

/** All of our code is free of these words, and stays so. */
export const CLEAN = ['apps', 'hooks-library', 'packages', 'scripts', 'scenarios', 'bench'];

/** Word → what to use instead. */
export const RETIRED = {
  aside: 'quarantine, or temporary',
  desk: 'what the file does, such as frame-handler',
  fate: 'result',
  hear: 'receive',
  heard: 'received',
  heed: 'handle',
  laid: 'written, or installed',
  lay: 'write, or install',
  moment: 'what the file does, such as burst-cache',
  patient: 'input',
  purse: 'budget',
  say: 'print, or return',
  says: 'prints, or returns',
  shelf: 'what the file does, such as event-writer',
  sight: 'overview',
  standing: 'state',
  tell: 'print, report or notify',
  tells: 'prints, reports or notifies',
  telling: 'publishing, or reporting',
  told: 'printed, reported or notified',
  trouble: 'problem',
  troubles: 'problems',
  twin: 'copy, or duplicate',
  twins: 'copies, or duplicates',
  wish: 'request, or options',
  wished: 'requested',
};

/** Exact names that may use such a word, because it is the trade's own there: a declared name, or the path of a file. */
const ALLOWED = [];

const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+/g) ?? [];

const retiredIn = (name) => wordsOf(name).find((word) => Object.hasOwn(RETIRED, word));

/** The names that a module declares at its top: what its reader has to know, exported or not. */
function declaredNames({ body }) {
  const namesIn = (statement) => {
    if (statement?.type === 'ExportNamedDeclaration' || statement?.type === 'ExportDefaultDeclaration')
      return namesIn(statement.declaration);
    if (statement?.type === 'VariableDeclaration') return statement.declarations.map(({ id }) => id);
    return statement?.id ? [statement.id] : [];
  };
  return body.flatMap(namesIn).filter(({ type }) => type === 'Identifier');
}

/** Declared or exported names and paths of the clean packages that use a retired word. */
export function retiredWords(sources, clean = CLEAN, allowed = ALLOWED) {
  const used = new Set();
  const problems = [];
  const check = (name, text, place) => {
    const word = retiredIn(text);
    if (word === undefined) return;
    if (allowed.includes(name)) used.add(name);
    else problems.push(`${place} uses the word ${word}: ${RETIRED[word]}`);
  };
  for (const { path, text, module, program } of Object.values(sources)) {
    const owner = clean.find((each) => path.startsWith(`${each}/`));
    if (owner === undefined) continue;
    check(path, path.slice(owner.length), path);
    const exported = module.staticExports
      .flatMap(({ entries }) => entries.map(({ exportName, start }) => ({ name: exportName.name, start: exportName.start ?? start })))
      .filter(({ name }) => name);
    const names = new Map([...exported, ...declaredNames(program)].map(({ name, start }) => [name, start]));
    for (const [name, start] of names) check(name, name, `${path}:${lineOf(text, start)} ${name}`);
  }
  return [...problems, ...allowed.filter((name) => !used.has(name)).map((name) => `${name} needs no exception from the retired words`)];
}
