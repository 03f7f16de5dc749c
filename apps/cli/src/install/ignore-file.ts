import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuseLinks } from '../regular-file.ts';
import { readConfig, writeConfig } from './config-file.ts';

/** Files in `.piton/` that belong to one person and are never committed. */
const IGNORED = ['local/', 'settings.local.json'];

export interface IgnoreFile {
  readonly file: string;
  /** Null if there is no file. */
  readonly before: string | null;
  readonly text: string;
}

export function planIgnore(root: string): IgnoreFile | undefined {
  const file = join(root, '.piton', '.gitignore');
  refuseLinks(file);
  const there = readConfig(file).text;
  const before = there ?? '';
  const lines = before.split(/\r?\n/).map((line) => line.trim());
  const missing = IGNORED.filter((line) => !lines.includes(line) && !lines.includes(`/${line}`));
  if (missing.length === 0) return undefined;
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return { file, before: there, text: `${before}${gap}${missing.join('\n')}\n` };
}

export function writeIgnore({ file, text }: IgnoreFile): void {
  writeConfig(file, text, readConfig(file).bytes, { file: 0o644, directory: 0o755 });
}

/** The file, if it is as we wrote it and alone: beside hooks it is still needed. */
export function removableIgnore(root: string): string | undefined {
  const file = join(root, '.piton', '.gitignore');
  const isOurs = readConfig(file).text === `${IGNORED.join('\n')}\n`;
  return isOurs && readdirSync(dirname(file)).length === 1 ? file : undefined;
}

export function removeIgnore(file: string): void {
  rmSync(file);
  rmdirSync(dirname(file));
}
