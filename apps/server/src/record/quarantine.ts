import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redacted } from '@piton/redact';

/** Keeps an event that cannot be recorded, with the reason: it must not block others, and must not be lost. */
export function quarantineFrame(directory: string, name: string, payload: Redacted<string>, why: Redacted<string>): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.${name}.tmp`);
  writeFileSync(temporary, payload, { mode: 0o600 });
  renameSync(temporary, join(directory, `${name}.frame`));
  writeFileSync(join(directory, `${name}.why`), `${why}\n`, { mode: 0o600 });
}
