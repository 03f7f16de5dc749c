import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REMEMBERED, type SessionLog } from '@piton/lifecycle';
import type { Redacted, Redactor } from '@piton/redact';

/** Session memory across a restart, redacted. An id or path that contains a secret no longer matches after redaction, so that session is forgotten. */
export function openSessionFile(environment: string, redactor: Redactor): SessionLog {
  const file = join(environment, 'session-roots.jsonl');
  const append = (line: Redacted<readonly unknown[]>): void => appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  return {
    append: (line) => append(redactor.value(line)),
    read() {
      let lines: string[];
      try {
        lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      } catch {
        return [];
      }
      const recent = lines.slice(-REMEMBERED);
      if (lines.length > 2 * REMEMBERED) {
        writeFileSync(`${file}.tmp`, `${recent.join('\n')}\n`, { mode: 0o600 });
        renameSync(`${file}.tmp`, file);
      }
      return recent;
    },
  };
}
