import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redacted } from '@piton/redact';

/** Keeps an event that cannot be recorded, with the reason: it must hold up no other, and must not be lost. */
export function setAside(directory: string, name: string, payload: Redacted<string>, why: Redacted<string>): void {
  keep(directory, name, payload, why);
}

/**
 * The same for a frame that ends whoever works on it, the redactor perhaps: it is moved as it is, and stays a part of
 * the journal. `doctor` names it until somebody has deleted it.
 */
export function moveAside(directory: string, name: string, frame: Uint8Array, why: Redacted<string>): void {
  keep(directory, name, frame, why);
}

function keep(directory: string, name: string, bytes: string | Uint8Array, why: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.${name}.tmp`);
  writeFileSync(temporary, bytes, { mode: 0o600 });
  renameSync(temporary, join(directory, `${name}.frame`));
  writeFileSync(join(directory, `${name}.why`), `${why}\n`, { mode: 0o600 });
}
