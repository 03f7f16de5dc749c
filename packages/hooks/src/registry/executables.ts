import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EVENTS, PITON_EVENTS, parseEventName, parsePitonEventName, shellWord, spellingsOf } from '@piton/contracts';
import type { HookEvent } from '../definition.ts';
import { nearestName } from './nearest-name.ts';
import type { HookPlace, Problem } from './places.ts';
import { type StatOf, watched } from './watched.ts';

/** An executable that was found, in a directory whose name is one spelling of its event. */
export interface Executable<Name extends HookEvent = HookEvent> {
  readonly id: string;
  readonly name: string;
  readonly event: Name;
  readonly directory: string;
  readonly path: string;
}

interface HooksDirectory {
  readonly byEvent: ReadonlyMap<HookEvent, readonly string[]>;
  readonly unknown: readonly string[];
}
const NO_DIRECTORY: HooksDirectory = { byEvent: new Map(), unknown: [] };
const NO_NAMES: readonly string[] = [];
/** Of one event in one place: an agent waits while they are looked up, and a repository may hold any number. */
const MOST_FILES = 1000;

export interface Executables {
  find<Name extends HookEvent>(place: HookPlace, event: Name): readonly Executable<Name>[];
  problems(place: HookPlace): Problem[];
  forget(): void;
}

/** Looks up what lies in `hooks/<event>/`; reads a directory again only when it has changed. */
export function createExecutables(stat?: StatOf): Executables {
  const hooksDirectory = watched(NO_DIRECTORY, readHooksDirectory, stat);
  const fileNames = watched(NO_NAMES, readFileNames, stat);
  return {
    find(place, event) {
      const directories = hooksDirectory(place.hooksDir).byEvent.get(event);
      if (directories === undefined) return [];
      const found = directories.flatMap((name) =>
        fileNames(join(place.hooksDir, name))
          .slice(0, MOST_FILES)
          .map((file) => executableOf(place, event, name, file)),
      );
      return directories.length === 1 ? found : found.sort((a, b) => compareNames(a.name, b.name));
    },
    problems(place) {
      const { byEvent, unknown } = hooksDirectory(place.hooksDir);
      const crowded = [...byEvent.values()]
        .flat()
        .map((name) => join(place.hooksDir, name))
        .filter((path) => fileNames(path).length > MOST_FILES);
      return [...unknown.map((name) => noSuchEvent(place, name, [...byEvent.values()].flat())), ...crowded.map(tooMany)];
    },
    forget() {
      hooksDirectory.forget();
      fileNames.forget();
    },
  };
}

/** Of a misspelt directory. It cannot be renamed to one that exists: `mv` would put it inside. */
function noSuchEvent(place: HookPlace, name: string, existing: readonly string[]): Problem {
  const path = join(place.hooksDir, name);
  const near = nearestName(name, [...EVENTS.flatMap(spellingsOf).filter((spelling) => !spelling.includes('_')), ...PITON_EVENTS]);
  const right = near === undefined ? '' : join(place.hooksDir, near);
  const rename = existing.includes(near ?? '')
    ? `move its files to ${shellWord(right)}, then: rmdir ${shellWord(path)}`
    : `mv ${shellWord(path)} ${shellWord(right)}`;
  const remedy = near === undefined ? 'rename it to an event: piton schema' : `did you mean ${near}? ${rename}`;
  return { path, problem: `no event is named ${name}`, remedy };
}

const tooMany = (path: string): Problem => ({
  path,
  problem: `it holds more than ${MOST_FILES} files: those that sort last do not run`,
  remedy: 'keep only hooks there',
});

export function executableOf<Name extends HookEvent>(place: HookPlace, event: Name, directoryName: string, file: string): Executable<Name> {
  const directory = join(place.hooksDir, directoryName);
  return { id: `${place.scope}:${directoryName}/${file}`, name: file, event, directory, path: join(directory, file) };
}

/** By code unit, not by the machine's language: the order is the same everywhere. */
export const compareNames = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function readHooksDirectory(path: string): HooksDirectory {
  const byEvent = new Map<HookEvent, string[]>();
  const unknown: string[] = [];
  for (const entry of entriesOf(path)) {
    if (entry.name.startsWith('.') || entry.isFile()) continue;
    const event = parseEventName(entry.name) ?? parsePitonEventName(entry.name);
    if (event === undefined) unknown.push(entry.name);
    else byEvent.set(event, [...(byEvent.get(event) ?? []), entry.name]);
  }
  return { byEvent, unknown };
}

function readFileNames(path: string): readonly string[] {
  const names = entriesOf(path).filter((entry) => !entry.isDirectory() && !isIgnored(entry.name));
  return names.map((entry) => entry.name).sort(compareNames);
}

/** Notes beside the hooks, and what editors leave behind. */
export function isIgnored(path: string): boolean {
  const name = basename(path);
  return (
    name.startsWith('.') || /^README/i.test(name) || /\.(md|bak|sw[op]|orig|tmp)$/i.test(name) || name.endsWith('~') || /^#.*#$/.test(name)
  );
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
