import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintArtifact, toArtifact } from '@piton/artifacts';
import type { Agent, NativeHook, NotImported } from '@piton/contracts';
import { ARTIFACT_FILE } from '@piton/hooks';
import { type Change, fileChange } from '../install/change.ts';
import { LINT_CONTEXT } from '../lint/lint-context.ts';
import type { GatheredFile } from './gather.ts';
import { type NamedScript, scriptsOf } from './scripts.ts';

/** An artifact that would be written. */
export interface Planned {
  readonly agent: Agent;
  readonly from: GatheredFile;
  readonly hook: NativeHook;
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly bytes: Buffer; readonly mode: number }[];
  /** Compared with what exists: `changed` is another artifact with the same name. */
  readonly state: 'new' | 'same' | 'changed';
  readonly notes: readonly string[];
  /** Files that it runs from where they are: they can change without review. */
  readonly notPinned: readonly string[];
}
export interface Left extends NotImported {
  readonly from: GatheredFile;
}
export interface ImportPlan {
  readonly planned: readonly Planned[];
  readonly left: readonly Left[];
}

export interface PlanOptions {
  /** The directory that gets one folder per agent. */
  readonly out: string;
  readonly home: string;
  readonly project: string;
  readonly copyScripts: boolean;
  /** For the user only: a command may contain what others should not read. */
  readonly isOwn: boolean;
}

/** Each file that it writes, as it is announced. */
export const plannedChanges = ({ folder, files, hook }: Planned): Change[] =>
  files.flatMap(({ path, bytes, mode }) => {
    const before = textAt(join(folder, path)) ?? null;
    if (before?.equals(bytes)) return [];
    return [fileChange(join(folder, path), before, bytes, `imported hook on ${hook.place.nativeEvent}`, mode)];
  });

export function planImport(files: readonly GatheredFile[], options: PlanOptions): ImportPlan {
  const planned: Planned[] = [];
  const left: Left[] = files.flatMap((from) => from.left.map((each) => ({ ...each, from })));
  for (const from of files) {
    for (const hook of from.hooks) {
      const one = planOne(from, hook, options, (folder) => planned.some((other) => other.folder === folder));
      if ('why' in one) left.push({ ...one, place: hook.place, from });
      else planned.push(one);
    }
  }
  return { planned, left };
}

function planOne(
  from: GatheredFile,
  hook: NativeHook,
  { out, home, project, copyScripts, isOwn }: PlanOptions,
  isTaken: (folder: string) => boolean,
): Planned | { what: string; why: string } {
  const { agent, label } = from;
  const scripts = scriptsOf(hook.command, home, project);
  const made = toArtifact(hook, { agent, label, bundled: copyScripts ? scripts : [] });
  if (!made.ok) return made;
  const copied = copyScripts ? scripts : [];
  const folder = freeName(join(out, agent.id, made.name), isTaken);
  const error = errorIn(made.text, folder, copied);
  if (error !== undefined) return { what: `a hook on ${hook.place.nativeEvent}`, why: error };
  const files = [
    ...copied.map(({ as, bytes }) => ({ path: as, bytes, mode: isOwn ? 0o700 : 0o755 })),
    { path: ARTIFACT_FILE, bytes: Buffer.from(made.text), mode: isOwn ? 0o600 : 0o644 },
  ];
  const alone = copied.length > 0 ? ['only the script was copied. If it uses other files, copy them too'] : [];
  return {
    ...{ agent, from, hook, folder, files, state: stateOf(folder, files), notes: [...made.notes, ...alone] },
    notPinned: copyScripts ? [] : scripts.map(({ file }) => file),
  };
}

function freeName(folder: string, isTaken: (folder: string) => boolean): string {
  let name = folder;
  for (let count = 2; isTaken(name); count++) name = `${folder}-${count}`;
  return name;
}

/** What cannot run is not written. The first error is the reason. */
function errorIn(text: string, folder: string, scripts: readonly NamedScript[]): string | undefined {
  const findings = lintArtifact({
    file: join(folder, ARTIFACT_FILE),
    text,
    bundled: scripts.length > 0 ? ['scripts'] : [],
    findFile: (path) => (scripts.some(({ as }) => as === path) ? { executable: true, text: null } : undefined),
    context: LINT_CONTEXT,
  });
  const error = findings.find(({ severity }) => severity === 'error');
  return error && `${error.what} (${error.rule})`;
}

function stateOf(folder: string, files: Planned['files']): Planned['state'] {
  const there = textAt(join(folder, ARTIFACT_FILE));
  if (there === undefined) return 'new';
  return files.every(({ path, bytes }) => textAt(join(folder, path))?.equals(bytes)) ? 'same' : 'changed';
}

export function textAt(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
