import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuseLinks } from '../regular-file.ts';
import { readConfig, writeConfig } from './config-file.ts';

/** Files in `.piton/` that belong to one person and are never committed. */
const IGNORED = ['local/', 'settings.local.json'];

export interface IgnoreFile {
  readonly file: string;
  readonly text: string;
}

export function planIgnore(root: string): IgnoreFile | undefined {
  const file = join(root, '.piton', '.gitignore');
  refuseLinks(file);
  const before = readConfig(file).text ?? '';
  const lines = before.split(/\r?\n/).map((line) => line.trim());
  const missing = IGNORED.filter((line) => !lines.includes(line) && !lines.includes(`/${line}`));
  if (missing.length === 0) return undefined;
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return { file, text: `${before}${gap}${missing.join('\n')}\n` };
}

export function writeIgnore({ file, text }: IgnoreFile): void {
  writeConfig(file, text, readConfig(file).bytes, { file: 0o644, directory: 0o755 });
}

/** Removes it if it is unchanged and alone. Beside hooks it is still needed. */
export function removeIgnore(root: string): void {
  const file = join(root, '.piton', '.gitignore');
  if (readConfig(file).text !== `${IGNORED.join('\n')}\n` || readdirSync(dirname(file)).length > 1) return;
  rmSync(file);
  rmdirSync(dirname(file));
}
