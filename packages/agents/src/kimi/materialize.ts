import type { Materialized, MaterializeRemoval, Materializer, ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { textOf } from '../shared/json-fields.ts';
import { draftOf, untranslatable } from '../shared/materialize/draft.ts';
import type { MaterializeFacts } from '../shared/materialize/facts.ts';
import { folderFiles, folderOf, isOf, lineFor, parentOf, placed } from '../shared/materialize/folder.ts';
import { anchoredPattern, toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { registeredEvents, type Unreported } from './events.ts';
import { installer, type TableFields, userFile } from './install.ts';
import { type HookTable, hookTables, withoutTable, withTable } from './toml-hooks.ts';
import { TOOLS } from './tools.ts';

/** The words with which a matcher can be compared. */
const SOURCES: AgentTable<
  readonly string[],
  | Unreported
  | ToolEvent
  | 'session_end'
  | 'user_prompt_submit'
  | 'subagent_start'
  | 'subagent_stop'
  | 'stop'
  | 'stop_failure'
  | 'notification'
> = {
  session_start: ['startup', 'resume'],
  pre_compact: ['manual', 'auto'],
  post_compact: ['manual', 'auto'],
};

const FACTS: MaterializeFacts = {
  agent: 'kimi',
  title: 'Kimi Code',
  events: registeredEvents([]),
  tools: { tools: toolsIn(TOOLS), mcp: (server, tool) => `mcp__${server}__${tool}` },
  encode,
  noop,
  failures: 'apart',
  sources: SOURCES,
  notes: {
    stop: 'it also fires for a subagent, and once in a turn only',
    session_end: 'a headless run does not fire it',
  },
};

type Edited = { readonly ok: true; readonly text: string | null } | { readonly ok: false; readonly error: string };

/** The text with these tables of one hook and no others of it. */
function edited(original: string | null, wanted: readonly TableFields[], id: string): Edited {
  const read = hookTables(original ?? '');
  if (!read.ok) return read;
  const there = read.tables.filter(({ fields }) => isOf(id)({ shell: textOf(fields, 'command') ?? '' }) === true);
  const same = (table: HookTable, fields: TableFields): boolean => JSON.stringify(table.fields) === JSON.stringify(fields);
  if (there.length === wanted.length && wanted.every((fields) => there.some((table) => same(table, fields))))
    return { ok: true, text: original };
  const rest = there.reduceRight<string | null>((text, table) => (text === null ? null : withoutTable(text, table)), original);
  return { ok: true, text: wanted.reduce<string | null>((text, fields) => withTable(text, fields), rest) };
}

export const materializer: Materializer = {
  activation: () => null,
  materialize(hook, place): Materialized {
    if (place.scope === 'project') return untranslatable(installer.userOnly ?? '');
    const draft = draftOf(hook, FACTS);
    if (!draft.ok) return draft;
    const file = userFile('config.toml', place.env);
    const folder = folderOf(parentOf(file), hook.id);
    const patterns = draft.sources ?? draft.tools;
    const tables = draft.events.map(
      ({ name }): TableFields => ({
        event: name,
        ...(patterns !== null && { matcher: anchoredPattern(patterns) }),
        command: lineFor(placed(folder, place, '$PWD'), name, hook.failClosed),
        timeout: Math.min(600, Math.ceil(hook.timeoutMs / 1000)),
      }),
    );
    const text = edited(place.text(file.path), tables, hook.id);
    if (!text.ok) return { ok: false, code: 'materialize.config_invalid', why: text.error };
    return {
      ok: true,
      folder,
      files: [...folderFiles(folder, draft), { path: file.path, text: text.text }],
      nativeEvents: draft.events.map(({ name }) => name),
      losses: draft.losses,
    };
  },
  remove(id, place): MaterializeRemoval {
    const file = userFile('config.toml', place.env);
    const folder = folderOf(parentOf(file), id);
    const before = place.scope === 'project' ? null : place.text(file.path);
    if (before === null) return { ok: true, folder, files: [] };
    const text = edited(before, [], id);
    if (!text.ok) return { ok: false, code: 'materialize.config_invalid', why: text.error };
    return { ok: true, folder, files: text.text === before ? [] : [{ path: file.path, text: text.text }] };
  },
};
