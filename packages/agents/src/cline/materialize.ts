import type { MaterializedFile, MaterializePlace, MaterializeRefusal, Materializer } from '@piton/contracts';
import { draftOf } from '../shared/materialize/draft.ts';
import type { MaterializeFacts } from '../shared/materialize/facts.ts';
import { folderFiles, folderOf, parentOf } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { addHook, removeHook } from './dispatcher.ts';
import { encode, noop } from './encode.ts';
import { REGISTERED } from './events.ts';
import { installer } from './install.ts';
import { TOOLS } from './tools.ts';

const facts: MaterializeFacts = {
  agent: 'cline',
  title: 'Cline CLI',
  events: REGISTERED,
  tools: {
    tools: [...toolsIn(TOOLS, { apply_patch: ['Write'] }), { native: 'editor', names: ['Edit', 'Write'], kind: 'edit' }],
    mcp: (server, tool) => `${server}__${tool}`,
  },
  encode,
  noop,
  failures: 'same',
  notes: {
    session_start: 'it fires for subagents too',
    stop: 'it fires for subagents too',
    stop_failure: 'it fires for subagents too',
    user_prompt_submit: 'Cline CLI was never seen to fire it',
    session_end: 'Cline CLI fires it only after an abort',
  },
  quietCrash: true,
  noTimeout: true,
  // The call stands in the payload twice, in an older shape and a newer one.
  toolInPayload: (name) => `"(toolName|name)" *: *"${name}"`,
};

/** Beside the programs of `piton init`, which end with .sh: all that are called after an event run. */
const fileFor = (event: string, { scope, env }: Pick<MaterializePlace, 'scope' | 'env'>): string =>
  `${parentOf(installer.configFiles(scope, env)[0])}/${event}.bash`;

const directoryOf = ({ scope, env }: Pick<MaterializePlace, 'scope' | 'env'>): string =>
  parentOf({ path: parentOf(installer.configFiles(scope, env)[0]), label: '' });

const foreign = (path: string): MaterializeRefusal => ({
  ok: false,
  code: 'materialize.config_invalid',
  why: `${path} is there and was not written by Piton: give it another ending, then run this again`,
});

export const materializer: Materializer = {
  activation: () => null,
  materialize(hook, place) {
    const draft = draftOf(hook, facts, { exitsOnBlock: true });
    if (!draft.ok) return draft;
    const folder = folderOf(directoryOf(place), hook.id);
    const files: MaterializedFile[] = folderFiles(folder, draft);
    for (const { name } of draft.events) {
      const path = fileFor(name, place);
      const text = addHook(place.text(path), hook.id, name);
      if (text === undefined) return foreign(path);
      files.push({ path, text, executable: true });
    }
    // An event on which it stood before, and stands no longer.
    files.push(...withoutHook(hook.id, place).filter(({ path }) => !files.some((file) => file.path === path)));
    return { ok: true, folder, files, nativeEvents: draft.events.map(({ name }) => name), losses: draft.losses };
  },
  remove: (id, place) => ({ ok: true, folder: folderOf(directoryOf(place), id), files: withoutHook(id, place) }),
};

function withoutHook(id: string, place: MaterializePlace): MaterializedFile[] {
  return REGISTERED.flatMap(({ name }): MaterializedFile[] => {
    const path = fileFor(name, place);
    const before = place.text(path);
    const after = before === null ? null : removeHook(before, id);
    return before === after ? [] : [{ path, text: after, executable: true }];
  });
}
