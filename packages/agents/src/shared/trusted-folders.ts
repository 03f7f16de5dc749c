import { dirname, relative } from 'node:path';
import type { ConfigResult, JsonObject } from '@piton/contracts';
import { appendItem } from './jsonc/jsonc-edit.ts';
import { parseText } from './jsonc/jsonc-text.ts';

/*
 * A file of the form `{ "/folder": "TRUST_FOLDER" | "TRUST_PARENT" | "DO_NOT_TRUST" }`, which two agents share.
 */

/** What the rules say about a folder, of those that cover it the longest; undefined where none does. */
export function isTrusted(rules: JsonObject, folder: string): boolean | undefined {
  const covering = Object.entries(rules).filter(([path, level]) => covers(level === 'TRUST_PARENT' ? dirname(path) : path, folder));
  const [, level] = covering.reduce<[string, unknown]>((best, rule) => (rule[0].length > best[0].length ? rule : best), ['', undefined]);
  if (level === 'DO_NOT_TRUST') return false;
  return level === 'TRUST_FOLDER' || level === 'TRUST_PARENT' ? true : undefined;
}

function covers(parent: string, folder: string): boolean {
  const way = relative(parent, folder);
  return way === '' || !/^\.\.(?:[\\/]|$)/.test(way);
}

/** The file with one more folder in it. */
export function trustFolder(text: string | null, folder: string): ConfigResult {
  const rule = `${JSON.stringify(folder)}: "TRUST_FOLDER"`;
  if (text === null || text.trim() === '') return edited(`{\n  ${rule}\n}\n`);
  const parsed = parseText(text);
  if (!parsed.ok) return { ok: false, error: parsed.error };
  if (parsed.root.type !== 'object') return { ok: false, error: 'the whole file must be a JSON object: mend it, then run this again' };
  return edited(appendItem(text, parsed.root, parsed.root, () => rule));
}

const edited = (text: string): ConfigResult => ({ ok: true, edit: { text, added: [], removed: [] } });
