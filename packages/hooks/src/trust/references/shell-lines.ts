import { posix } from 'node:path';
import type { HookText, Reference, Surroundings } from './reference.ts';

// Every part is bounded: a line that is made to be matched slowly must not hold up the review.
const START = String.raw`(?:^|[;&|({]|\b(?:then|do|else|exec|env|time|if|while|command)\s)\s{0,40}(?:\w{1,40}=\S{0,200}\s{1,40}){0,8}`;
/** Programs that run what the files of a project say: its scripts, recipes and tests. */
const PROJECT_COMMANDS = new RegExp(
  `${START}((?:npm|pnpm|yarn|bun)\\s+(?:run\\s+|run-script\\s+|exec\\s+|x\\s+|dlx\\s+)?[\\w:@./-]+|npx\\s+[\\w:@./-]+|bunx\\s+[\\w:@./-]+|(?:make|gmake|just|rake|task|gradle|mvn|tox|nox|pytest|pre-commit|lefthook|composer|bundle|poetry|uv|cargo|deno|go)(?:\\s+[\\w:@./-]+)?)`,
  'g',
);
const SOURCED = new RegExp(`${START}(?:\\.|source)\\s+(\\S+)`, 'g');
const PYTHON_MODULE = /\bpython[\d.]*\s+(?:-\w+\s+)*-m\s+([\w.]+)/g;

/** Of a shell text: files that it sources by a name that only the run knows, modules of the project, and project commands. */
export function shellReferences({ path, text }: HookText, { root, exists }: Surroundings): Reference[] {
  const found: Reference[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*#/.test(line)) continue;
    const add = (name: string, why: Reference['why']): void => {
      if (!found.some((known) => known.name === name)) found.push({ name, file: path, line: at + 1, why });
    };
    for (const [, command = ''] of line.matchAll(PROJECT_COMMANDS)) add(command.replace(/\s+/g, ' ').trim(), 'project-command');
    for (const [, name = ''] of line.matchAll(SOURCED)) if (isComputed(name)) add(`. ${name}`, 'computed');
    for (const [, module = ''] of line.matchAll(PYTHON_MODULE)) {
      const base = posix.join(root, ...module.split('.'));
      const file = [`${base}.py`, `${base}/__main__.py`].find(exists);
      if (file !== undefined) add(posix.relative(root, file), 'file');
    }
  }
  return found;
}

/** Its own folder and the project's are known; a name in any other variable is not. */
const isComputed = (name: string): boolean =>
  /^["']?(?:\$\((?!dirname)|`(?!dirname)|\$\{?(?!0|BASH_SOURCE|PITON_ARTIFACT_DIR|PITON_REPO|[A-Z]+_PROJECT_DIR|PWD)\w+\}?["']?$)/.test(
    name,
  );

/** The program on a `#!` line, where it lies in the project or depends on the directory that a hook runs in. */
export function interpreterOf({ path, text }: HookText, { root }: Surroundings): Reference[] {
  const [, line] = /^#!([^\n]*)/.exec(text) ?? [];
  if (line === undefined) return [];
  const [first = '', ...rest] = line.trim().split(/\s+/);
  const program = posix.basename(first) === 'env' ? rest.find((word) => !/^-|^\w+=/.test(word)) : first;
  const name = [first, program].find(
    (word) => word?.includes('/') && (!word.startsWith('/') || `${posix.normalize(word)}/`.startsWith(`${root}/`)),
  );
  if (name === undefined) return [];
  return [
    {
      name: name.startsWith('/') ? posix.relative(root, posix.normalize(name)) : posix.normalize(name),
      file: path,
      line: 1,
      why: 'interpreter',
    },
  ];
}
