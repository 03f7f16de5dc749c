import type { FileCall, JsonObject } from '@piton/contracts';
import { type PatchChunk, type PatchSection, parsePatch } from './patch.ts';

/** A path of a patch is relative to the cwd; hooks look for an absolute `file_path`. */
export const absolute = (path: string, cwd: string): string =>
  path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? path : `${cwd.replace(/\/+$/, '')}/${path.replace(/^(?:\.\/)+/, '')}`;

/** A patch as the calls that it amounts to: one for each file, `Write` of a new one, `Edit` of all others. */
export function fileCalls(patch: string, cwd: string): FileCall[] {
  const byFile = new Map<string, Change[]>();
  for (const { file, change } of parsePatch(patch).flatMap(changesOf)) byFile.set(file, [...(byFile.get(file) ?? []), change]);
  return [...byFile].map(([file, changes]) => callOf(file, changes, cwd));
}

/** Every file that a patch names, both ends of a move. */
export const filesIn = (patch: string): string[] => [
  ...new Set(
    parsePatch(patch)
      .flatMap(changesOf)
      .map(({ file }) => file),
  ),
];

interface Change {
  readonly created?: string;
  readonly deleted?: true;
  readonly movedTo?: string;
  readonly movedFrom?: string;
  readonly chunks: readonly PatchChunk[];
}

function changesOf(section: PatchSection): { readonly file: string; readonly change: Change }[] {
  const { path: file } = section;
  switch (section.does) {
    case 'add':
      return [{ file, change: { created: section.content, chunks: [] } }];
    case 'delete':
      return [{ file, change: { deleted: true, chunks: [] } }];
    case 'update': {
      const { movedTo, chunks } = section;
      if (movedTo === undefined) return [{ file, change: { chunks } }];
      return [
        { file, change: { movedTo, chunks } },
        { file: movedTo, change: { movedFrom: file, chunks } },
      ];
    }
  }
}

function callOf(file: string, changes: readonly Change[], cwd: string): FileCall {
  const file_path = absolute(file, cwd);
  const [first] = changes;
  if (changes.length === 1 && first?.created !== undefined) return { file, name: 'Write', input: { file_path, content: first.created } };
  const edits = changes.flatMap(({ created, chunks }) => (created === undefined ? chunks : [{ before: '', after: created }, ...chunks]));
  const input: JsonObject = Object.assign({ file_path }, textOf(edits), ...changes.map((change) => whereabouts(change, cwd)));
  return { file, name: 'Edit', input };
}

/** All old texts in one field and all new ones in the other: a guard that looks for a word misses none. */
function textOf(edits: readonly PatchChunk[]): JsonObject {
  if (edits.length === 0) return {};
  const whole = { old_string: edits.map(({ before }) => before).join('\n'), new_string: edits.map(({ after }) => after).join('\n') };
  if (edits.length === 1) return whole;
  return { ...whole, edits: edits.map(({ before, after }) => ({ old_string: before, new_string: after })) };
}

const whereabouts = ({ deleted, movedTo, movedFrom }: Change, cwd: string): JsonObject => ({
  ...(deleted && { deleted }),
  ...(movedTo !== undefined && { moved_to: absolute(movedTo, cwd) }),
  ...(movedFrom !== undefined && { moved_from: absolute(movedFrom, cwd) }),
});
