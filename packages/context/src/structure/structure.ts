import { quote } from '../text/quote.ts';
import { commandsOf, entriesOf, type Manifests } from './manifests.ts';

/** Languages by the end of a name: those of most repositories. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ts: 'TypeScript', tsx: 'TypeScript', mts: 'TypeScript', js: 'JavaScript', jsx: 'JavaScript', mjs: 'JavaScript', cjs: 'JavaScript' },
  ...{ py: 'Python', go: 'Go', rs: 'Rust', java: 'Java', kt: 'Kotlin', rb: 'Ruby', php: 'PHP', c: 'C', h: 'C', cc: 'C++', cpp: 'C++' },
  ...{ cs: 'C#', swift: 'Swift', scala: 'Scala', ex: 'Elixir', sh: 'Shell', sql: 'SQL', vue: 'Vue', svelte: 'Svelte', dart: 'Dart' },
};
const ENTRY_POINTS =
  /^(?:(?:src|app|cmd\/[^/]+|apps\/[^/]+\/src|bin)\/)?(?:main|index|app|server|cli|__main__)\.(?:ts|tsx|js|mjs|py|go|rs|rb|php|c|java)$/;
const MOST_FOLDERS = 8;
const MOST_ENTRIES = 5;
const MOST_COMMANDS = 6;

/** The shape of a repository, from the names in git's index. */
export function structureOf(paths: readonly string[], manifests: Manifests): readonly string[] {
  if (paths.length === 0) return [];
  const lines = [`${countOf(paths.length)}; ${languagesIn(paths, 3).join(', ') || 'no code'}`];
  for (const [folder, inside] of foldersIn(paths)) {
    const languages = languagesIn(inside, 2).join(', ');
    lines.push(`${quote(`${folder}/`, 60)}: ${countOf(inside.length)}${languages ? `, ${languages}` : ''}`);
  }
  const entries = [...new Set([...entriesOf(paths, manifests), ...paths.filter((path) => ENTRY_POINTS.test(path))])].slice(0, MOST_ENTRIES);
  if (entries.length > 0) lines.push(`Entry points: ${entries.map((path) => quote(path, 60)).join(', ')}`);
  const commands = commandsOf(paths, manifests).slice(0, MOST_COMMANDS);
  if (commands.length > 0) lines.push(`Commands: ${commands.map((command) => quote(command, 60)).join(', ')}`);
  return lines;
}

function foldersIn(paths: readonly string[]): [string, string[]][] {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const at = path.indexOf('/');
    if (at < 0) continue;
    const folder = path.slice(0, at);
    const inside = folders.get(folder);
    if (inside === undefined) folders.set(folder, [path]);
    else inside.push(path);
  }
  return [...folders].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)).slice(0, MOST_FOLDERS);
}

function languagesIn(paths: readonly string[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const end = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    const language = Object.hasOwn(LANGUAGES, end) ? LANGUAGES[end] : undefined;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([language]) => language);
}

const countOf = (files: number): string => `${files} ${files === 1 ? 'file' : 'files'}`;
