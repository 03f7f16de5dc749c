import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DeclaredHook } from '../registry/declared-hook.ts';
import { type Tree, treeOf } from './tree.ts';

export const DEFINITION_FILE = 'definition.json';
/** Where the folder of a hook's module lies in its copy. */
const MODULE_FOLDER = 'module';

/** A hook from settings as the folder that is hashed and copied: its definition, and the whole folder of its module. */
export function settingTree(hook: DeclaredHook, folder: Tree | null = null): Tree {
  const files = folder?.files.map((file) => ({ ...file, path: `${MODULE_FOLDER}/${file.path}` })) ?? [];
  return treeOf([{ path: DEFINITION_FILE, executable: false, bytes: Buffer.from(definitionText(hook)) }, ...files]);
}

/** Written out, so that the same definition has the same bytes. */
function definitionText(hook: DeclaredHook): string {
  const { name, event, matcher, command, timeoutMs, injectOutput = null, enabled, observe, failClosed, when, module, group } = hook;
  const { sandbox, targets, requires, native, shadow, description, sensitivity, tags } = hook;
  const first = { name, event, matcher, command, timeoutMs, injectOutput, enabled, observe, failClosed, when, module, group };
  return `${JSON.stringify({ ...first, sandbox, targets, requires, native, shadow, description, sensitivity, tags }, null, 2)}\n`;
}

export const copiedFolder = (copy: string): string => join(copy, MODULE_FOLDER);
export const copiedModule = (copy: string, module: string): string => join(copiedFolder(copy), basename(module));

/** Does a copy hold this very definition? The folder of its module is compared apart. */
export const sameDefinition = (a: DeclaredHook, b: DeclaredHook): boolean => definitionText(a) === definitionText(b);

/** The definition in a copy whose hash was checked. */
export function readSettingCopy(copy: string): DeclaredHook | undefined {
  try {
    const value = JSON.parse(readFileSync(join(copy, DEFINITION_FILE), 'utf8')) as Omit<DeclaredHook, 'injectOutput'> & {
      injectOutput: boolean | null;
    };
    return { ...value, injectOutput: value.injectOutput ?? undefined };
  } catch {
    return undefined;
  }
}
