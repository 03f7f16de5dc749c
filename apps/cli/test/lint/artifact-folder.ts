import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LintFinding } from '@piton/artifacts';
import { onTestFinished } from 'vitest';
import { lintFolder } from '../../src/lint/lint-folder.ts';

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'piton-lint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A valid artifact. An additional field is at line 7. */
const HEAD = {
  type: 'hook',
  version: '1.0.0',
  description: 'Log the end of each turn to a file.',
  hook_event: 'stop',
  hook_action: 'true',
};

export interface File {
  readonly text: string;
  readonly mode?: number;
}

export function writeArtifact(folder: string, fields: Record<string, unknown>, files: Record<string, File> = {}): void {
  const entries = Object.entries({ ...HEAD, ...fields }).filter(([, value]) => value !== undefined);
  const lines = entries.map(([key, value]) => `${key}: ${written(value)}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ARTIFACT.md'), `---\n${lines.join('\n')}\n---\n`);
  for (const [name, { text, mode = 0o755 }] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  }
}

const written = (value: unknown): string =>
  typeof value === 'string' && value.includes('\n') ? `|\n${value.replace(/^/gm, '  ')}` : JSON.stringify(value);

/** Lint findings of an artifact as `rule` at `file:line`, relative to its folder. */
export function lint(fields: Record<string, unknown>, files: Record<string, File> = {}): (LintFinding & { at: string })[] {
  const folder = temporary();
  writeArtifact(folder, fields, files);
  return lintFolder(folder).map((finding) => ({ ...finding, at: `${finding.file.slice(folder.length + 1)}:${finding.line}` }));
}
