/** A place from the project, or from the home directory where it begins with `~/`. */
type Place = string;

const FILES: readonly Place[] = [
  '.piton/settings.json',
  '~/.claude/settings.json',
  '.claude/settings.json',
  '~/.config/piton/settings.json',
  '.git/hooks/post-commit',
  '~/.codex/hooks.json',
  '~/.local/state/piton/trust/index.json',
];
const DIRECTORIES: readonly Place[] = ['.piton', '~/.config/piton', '.piton/hooks', '~/.local/state/piton'];
const HOLDERS: readonly (readonly [Place, string])[] = [
  ['~/.claude', 'settings.json'],
  ['.claude', 'settings.json'],
  ['.git/hooks', 'post-commit'],
  ['.piton', 'settings.json'],
  ['~/.codex', 'hooks.json'],
];
const PROJECT_FILES: readonly Place[] = ['.piton/settings.json', '.claude/settings.json'];
const PROJECT_HOLDERS: readonly (readonly [Place, string])[] = [
  ['.claude', 'settings.json'],
  ['.piton', 'settings.json'],
];

const isHome = (place: Place): boolean => place.startsWith('~/');
const below = (place: Place): string => place.replace(/^~\//, '');
const halves = (text: string): readonly [string, string] => [text.slice(0, 4), text.slice(4)];

/** The same place, as somebody might write it. `$D` stands for a variable that is set before. */
const SPELLINGS: readonly ((place: Place) => string)[] = [
  (place) => place,
  (place) => (isHome(place) ? `"$HOME/${below(place)}"` : `./${place}`),
  (place) => (isHome(place) ? `\${HOME}/${halves(below(place)).join("''")}` : halves(place).join('""')),
  (place) => (isHome(place) ? `~/code/../${below(place)}` : `evil/../${place}`),
  (place) => (isHome(place) ? `~/${halves(below(place)).join('\\')}` : `"$PWD"/${place}`),
  () => '"$D"',
  (place) => place.replace(/^(~\/)?(\..).(.*)$/, '$1$2?$3'),
];

const at = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;

/** Every row that a line stands for: with other places, in other spellings. */
export function expandRow(line: string, number: number): string[] {
  const count = /\{[FDA]\}/.test(line) ? 4 : /\{[fda]\}/.test(line) ? 2 : 1;
  return Array.from({ length: count }, (_, variant) => variantOf(line, number + variant, number * 5 + variant * 3));
}

function variantOf(line: string, which: number, how: number): string {
  const spell = at(SPELLINGS, how);
  const [holder, name] = at(/\{a\}/.test(line) ? PROJECT_HOLDERS : HOLDERS, which);
  const chosen = /\{F\}/.test(line) ? at(FILES, which) : /\{D\}/.test(line) ? at(DIRECTORIES, which) : holder;
  const isVariable = spell(chosen) === '"$D"';
  const filled = line
    .replaceAll('{F}', spell(at(FILES, which)))
    .replaceAll('{D}', spell(at(DIRECTORIES, which)))
    // One variable holds one place.
    .replaceAll('{A}', isVariable && chosen !== holder ? holder : spell(holder))
    .replaceAll('{N}', name)
    .replaceAll('{f}', at(PROJECT_FILES, which))
    .replaceAll('{d}', '.piton')
    .replaceAll('{a}', holder);
  return isVariable && filled.includes('"$D"') ? `D=${chosen}; ${filled}` : filled;
}
