import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The secret of this install behind the redactor's placeholders: equal secrets look equal, and cannot be guessed. */
export function installKey(home: string): Uint8Array {
  const file = join(home, 'redact.key');
  try {
    return readFileSync(file);
  } catch {
    // Two servers may start at once: the first link wins, and both read the same key.
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, randomBytes(32), { mode: 0o600 });
    try {
      linkSync(temporary, file);
    } catch {
      // the other was first
    }
    unlinkSync(temporary);
    return readFileSync(file);
  }
}
