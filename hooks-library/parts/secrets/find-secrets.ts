import { randomBytes } from 'node:crypto';
import { createRedactor } from '@piton/redact';

export interface Secret {
  readonly kind: string;
  readonly line: number;
  /** Compared, never shown. */
  readonly value: string;
}

const redactor = createRedactor({ key: randomBytes(32) });
const PLACEHOLDER = /\[redacted:([a-z][a-z0-9-]*):[0-9a-f]{8}\]/g;
/** Kinds that are found by the name before the value. Examples and tests have such names too, so the value must also look generated. */
const BY_NAME = new Set([
  'key',
  'secret',
  'password',
  'token',
  'url-password',
  'basic',
  'cookie',
  'credential',
  'passphrase',
  'auth',
  'bearer',
]);
const RANDOM = /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.~-]{16,}$/;
const EXAMPLE = /example|dummy|placeholder|changeme|your[-_]|x{6}|\.{3}|<|\*{3}/i;
/** The markers of other scanners for a line that is known to be harmless. */
const MARKED = /gitleaks:allow|pragma: allowlist secret/;
const MAX_LENGTH = 2_000_000;

/** What looks like a secret, by the rules that keep secrets out of Piton's store. */
export function findSecrets(text: string): Secret[] {
  const whole = text.slice(0, MAX_LENGTH);
  const kinds = new Set<string>();
  redactor.text(whole, (kind) => kinds.add(kind));
  if (kinds.size === 0) return [];
  const lines = whole.split('\n');
  const found = lines.flatMap((line, at) => (MARKED.test(line) ? [] : secretsIn(line, at + 1)));
  // A key block spans many lines, and none of them looks like a secret alone.
  const keyLine = lines.findIndex((line) => /-----BEGIN [A-Z ]*PRIVATE KEY/.test(line) && !MARKED.test(line));
  const hasKey = kinds.has('private-key') || /^[A-Za-z0-9+/=]{40,}$/.test(lines[keyLine + 1]?.trim() ?? '');
  if (hasKey && keyLine >= 0 && !found.some(({ kind }) => kind === 'private-key'))
    found.push({ kind: 'private-key', line: keyLine + 1, value: lines.slice(keyLine, keyLine + 3).join('\n') });
  return found;
}

function secretsIn(line: string, number: number): Secret[] {
  const redacted: string = redactor.text(line);
  if (redacted === line) return [];
  const found: Secret[] = [];
  let from = 0;
  let end = 0;
  for (const match of redacted.matchAll(PLACEHOLDER)) {
    from += match.index - end;
    end = match.index + match[0].length;
    const after = redacted.slice(end).split('[redacted:')[0] ?? '';
    const until = after === '' ? line.length : line.indexOf(after, from);
    const value = line.slice(from, until < 0 ? line.length : until);
    from += value.length;
    const kind = match[1] ?? 'secret';
    if (!EXAMPLE.test(value) && (!BY_NAME.has(kind) || RANDOM.test(value))) found.push({ kind, line: number, value });
  }
  return found;
}

/** Secrets that were not there before. */
export function newSecrets(after: string, before: string): Secret[] {
  const found = findSecrets(after);
  if (found.length === 0) return [];
  return found.filter(({ value }) => !before.includes(value));
}

const SHOWN = 5;

/** What the model reads: where and of which kind, never the secret. */
export function listed(secrets: readonly { readonly kind: string; readonly place: string }[]): string {
  const shown = secrets.slice(0, SHOWN).map(({ kind, place }) => `${place} (${kind})`);
  const more = secrets.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
