import type {
  ConfigFile,
  JsonObject,
  Materialized,
  MaterializePlace,
  MaterializeRefusal,
  MaterializeRemoval,
  Materializer,
  PortableHook,
} from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { isOurs } from '../command-line.ts';
import type { HooksDialect } from '../hooks-file/hooks-config.ts';
import { addEntry, findEntries, problemOf, removeEntry, splitBom, withoutVersion, withVersion } from '../hooks-file/hooks-entries.ts';
import { type Draft, draftOf } from './draft.ts';
import type { MaterializeFacts } from './facts.ts';
import { folderFiles, folderOf, isOf, lineFor, placed } from './folder.ts';
import { anchoredPattern } from './tools.ts';

/** An agent whose hooks are entries of a JSON file. */
export interface EntriesAgent {
  readonly facts: MaterializeFacts;
  readonly dialect: HooksDialect;
  file(place: Pick<MaterializePlace, 'scope' | 'env'>): ConfigFile;
  /** The agent's own directory, in which the hook's folder lies. */
  directory(place: Pick<MaterializePlace, 'scope' | 'env'>): string;
  /** Finds the project's root in a shell. */
  readonly root: string;
  /** It does not read what stands in `matcher`: the script looks for itself. */
  readonly noMatcher?: true;
  /** A matcher for sources takes one word alone. */
  readonly oneSource?: true;
  /** The matchers of these tools, where one does not fit them all. */
  matchers?(tools: readonly string[]): readonly string[];
  activation(scope: 'user' | 'project'): string | null;
}

interface Entry {
  readonly place: string;
  readonly value: JsonObject;
}

export function entriesMaterializer(agent: EntriesAgent): Materializer {
  return {
    activation: agent.activation,
    materialize(hook, place): Materialized {
      const draft = draftOf(hook, agent.facts);
      if (!draft.ok) return draft;
      const folder = folderOf(agent.directory(place), hook.id);
      const file = agent.file(place);
      const entries = draft.events.flatMap(({ name, event, timeoutMs }) => {
        const line = lineFor(placed(folder, place, agent.root), name, hook.failClosed);
        const limit = { timeoutMs: event === 'session_end' ? Math.min(hook.timeoutMs, timeoutMs) : hook.timeoutMs };
        return matchersOf(draft, agent).map(
          (matcher): Entry => ({ place: name, value: entryWith(agent.dialect, hook, line, limit, matcher) }),
        );
      });
      const text = edited(place.text(file.path), entries, hook.id, agent.dialect);
      if (!text.ok) return text;
      const nativeEvents = draft.events.map(({ name }) => name);
      return {
        ok: true,
        folder,
        files: [...folderFiles(folder, draft), { path: file.path, text: text.text }],
        nativeEvents,
        losses: draft.losses,
      };
    },
    remove(id, place): MaterializeRemoval {
      const folder = folderOf(agent.directory(place), id);
      const file = agent.file(place);
      const before = place.text(file.path);
      if (before === null) return { ok: true, folder, files: [] };
      const text = edited(before, [], id, agent.dialect);
      if (!text.ok) return text;
      return { ok: true, folder, files: text.text === before ? [] : [{ path: file.path, text: text.text }] };
    },
  };
}

function matchersOf({ tools, sources }: Draft, { noMatcher, oneSource, matchers }: EntriesAgent): readonly (string | null)[] {
  if (sources !== null) return oneSource ? sources : [anchoredPattern(sources)];
  if (tools === null || noMatcher) return [null];
  return matchers?.(tools) ?? [anchoredPattern(tools)];
}

function entryWith(
  dialect: HooksDialect,
  hook: PortableHook,
  line: string,
  limit: { readonly timeoutMs: number },
  matcher: string | null,
): JsonObject {
  const made = dialect.handler({ shell: line }, limit);
  const handler = 'name' in made ? { ...made, name: hook.id } : made;
  const matched = matcher === null ? {} : { matcher };
  return dialect.group === null ? { ...handler, ...matched } : { ...dialect.group, ...matched, hooks: [handler] };
}

type Edited = { readonly ok: true; readonly text: string | null } | MaterializeRefusal;

/** The text with these entries of one hook and no others of it. Everything else stays byte for byte. */
function edited(original: string | null, wanted: readonly Entry[], id: string, dialect: HooksDialect): Edited {
  const [bom, body] = splitBom(original ?? '');
  const empty = body.trim() === '';
  const problem = empty
    ? undefined
    : problemOf(
        body,
        wanted.map(({ place }) => place),
      );
  if (problem !== undefined) return { ok: false, code: 'materialize.config_invalid', why: problem };
  const ours = (text: string) => findEntries(text, dialect, isOf(id));
  const there = ours(body).map(({ place, entry }): Entry => ({ place, value: getNodeValue(entry) as JsonObject }));
  if (JSON.stringify(there) === JSON.stringify(inOrder(wanted, there))) return { ok: true, text: original };

  let text: string | null = withoutVersion(body, dialect);
  for (let last = ours(text).at(-1); last !== undefined; last = text === null ? undefined : ours(text).at(-1)) {
    text = removeEntry(text, last);
    if (text === null) break;
  }
  if (text === null && wanted.length === 0) return { ok: true, text: null };
  const closing = original === null || text === null ? '\n' : '';
  for (const { place, value } of wanted) text = addEntry(text ?? '', place, value);
  // Our number of the format stays as long as anything of ours needs it.
  const isNeeded = wanted.length > 0 || (body !== withoutVersion(body, dialect) && findEntries(text ?? '', dialect, isOurs).length > 0);
  return { ok: true, text: bom + (isNeeded ? withVersion(text ?? '', dialect) : (text ?? '')) + closing };
}

/** The order of events in the file is its own; that of entries within an event counts. */
const inOrder = (wanted: readonly Entry[], there: readonly Entry[]): readonly Entry[] =>
  wanted.length === there.length && wanted.every((want) => there.some((one) => JSON.stringify(one) === JSON.stringify(want)))
    ? there
    : wanted;
