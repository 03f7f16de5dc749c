import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuseLinks } from '../files/regular-file.ts';
import { type Change, fileChange } from './change.ts';
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

export const ignoreChange = ({ file, before, text }: IgnoreFile): Change =>
  fileChange(
    file,
    before === null ? null : Buffer.from(before),
    text,
    'keeps personal files out of git',
    before === null ? 0o644 : undefined,
  );

export function writeIgnore({ file, text }: IgnoreFile): void {
  writeConfig(file, text, readConfig(file).bytes, { file: 0o644, directory: 0o755 });
}

/** Is there anything in a directory but these, and directories of these alone? */
function hasOthers(directory: string, without: readonly string[]): boolean {
  return readdirSync(directory, { withFileTypes: true }).some((entry) => {
    const path = join(directory, entry.name);
    if (without.includes(path)) return false;
    return !(entry.isDirectory() && without.some((each) => each.startsWith(`${path}/`)) && !hasOthers(path, without));
  });
}

/** The file, if it is as we wrote it and alone, or will be `without` these: beside hooks it is still needed. */
export function removableIgnore(root: string, without: readonly string[] = []): string | undefined {
  const file = join(root, '.piton', '.gitignore');
  const isOurs = readConfig(file).text === `${IGNORED.join('\n')}\n`;
  return isOurs && !hasOthers(dirname(file), [file, ...without]) ? file : undefined;
}

export function removeIgnore(file: string): void {
  rmSync(file);
  rmdirSync(dirname(file));
}
