import { posix } from 'node:path';
import type { HookText, Reference, Surroundings } from './reference.ts';

/** What stands for the directory that an agent works in, as hooks write it. */
const PROJECT =
  /\$\{?(?:[A-Z]+_PROJECT_DIR|PITON_REPO|PWD|OLDPWD|INIT_CWD)(?::[-?=][^}]*)?\}?|\$\((?:git rev-parse --show-toplevel|pwd)\)|`(?:git rev-parse --show-toplevel|pwd)`|process\.cwd\(\)|os\.getcwd\(\)/g;
/** What stands for the directory of the script itself, which is in the copy. */
const OWN =
  /\$\{?PITON_ARTIFACT_DIR\}?|\$\(\s*dirname (?:--)? ?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})\s*\)|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}|`dirname \$0`|__dirname|import\.meta\.dirname/g;
const PROJECT_MARK = '\uE010';
const OWN_MARK = '\uE011';
/** More than a person writes: the rest is not looked up. */
const MAX_WORDS = 4000;

/** Words of a text that are files of the project. No language is understood: it is a hint for the reviewer. */
export function filesNamedIn({ path, text }: HookText, { root, copied, exists }: Surroundings): Reference[] {
  const found = new Map<string, Reference>();
  const seen = new Set<string>();
  const own = posix.dirname(path);
  for (const [at, line] of text.split('\n').entries()) {
    for (const word of wordsOf(line)) {
      if (seen.has(word)) continue;
      if (seen.size >= MAX_WORDS) return [...found.values(), { name: 'more words', file: path, line: at + 1, why: 'unread' }];
      seen.add(word);
      const named = resolved(word);
      if (named !== undefined && !found.has(named.name)) found.set(named.name, { ...named, file: path, line: at + 1 });
    }
  }
  return [...found.values()];

  function resolved(word: string): Pick<Reference, 'name' | 'why'> | undefined {
    if (word.startsWith(`${OWN_MARK}/`)) return fromOwnFolder(word.slice(2));
    const plain = word.startsWith(`${PROJECT_MARK}/`) ? word.slice(2) : word.startsWith('file:///') ? word.slice(7) : word;
    // `$DIR/lib.sh`: most often the script's own folder, else the project.
    const rest = /^\$\{?\w+\}?\/(.+)$/.exec(plain)?.[1];
    if (rest !== undefined) return copied.has(posix.join(own, rest)) ? undefined : inProject(rest);
    return inProject(plain);
  }

  function fromOwnFolder(rest: string): Pick<Reference, 'name' | 'why'> | undefined {
    const target = posix.join(own, rest);
    return target.startsWith('../') && !/[$*?]/.test(target) ? { name: rest, why: 'missing' } : undefined;
  }

  function inProject(name: string): Pick<Reference, 'name' | 'why'> | undefined {
    const target = posix.resolve(root, name);
    return target.startsWith(`${root}/`) && exists(target) ? { name: posix.relative(root, target), why: 'file' } : undefined;
  }
}

function wordsOf(line: string): string[] {
  const marked = line
    .replace(/["']/g, '\0')
    .replace(/\0/g, (_, at: number) => (isInside(line, at) ? '' : ' '))
    .replace(PROJECT, PROJECT_MARK)
    .replace(OWN, OWN_MARK);
  return marked.split(/[\s`;&|<>()=,[\]{}]+/).filter((word) => word.includes('/') || word.includes('.'));
}

/** A quote between two parts of one word, as in `"$DIR"/x`, is no end of it. */
function isInside(line: string, at: number): boolean {
  const [before, after] = [line[at - 1] ?? ' ', line[at + 1] ?? ' '];
  return /[\w$}/.)]/.test(before) && /[\w$/.]/.test(after);
}
