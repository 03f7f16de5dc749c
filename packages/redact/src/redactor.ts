import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { redactFields } from './fields.ts';
import { createAllowance, createOwnFinder, NO_OWN_RULES, type OwnRules } from './own-rules.ts';
import { createPlaceholder } from './placeholder.ts';
import { brand, type Redacted } from './redacted.ts';
import { type RuleTable, TABLE } from './rules/index.ts';
import { findSecrets } from './secrets.ts';
import { type Span, settle } from './span.ts';
import { createTokenFinder } from './tokens.ts';

/** Raised when something changes that the table does not show: names, headers, the reading of text. */
const EDITION = 5;
const SHORTEST = 6;
/** A text settles after one or two rounds. One that never does is made to; nothing of it is kept then. */
const MOST_ROUNDS = 16;

/** Called once for each secret that is taken out. */
export type Found = (kind: string) => void;

export interface RedactStream {
  write(piece: string | Uint8Array): void;
  /** All that was written, redacted as one text: where it was cut makes no difference. */
  end(found?: Found): Redacted<string>;
}

export interface Redactor {
  /** Which rules were applied: it changes with the table and with the user's own rules. */
  readonly version: string;
  /** Every string of a JSON value, and the strings under secret names whatever they look like. */
  value<T>(value: T, found?: Found): Redacted<T>;
  text(text: string, found?: Found): Redacted<string>;
  /** For a text that comes in pieces. */
  stream(): RedactStream;
  /** Does it hold a token of a known shape, or a private key? Values that only their name gives away do not count. */
  holdsToken(text: string): boolean;
}

export interface RedactorOptions {
  /** Makes the placeholders: the same secret gets the same one wherever the same key is used. */
  readonly key: Uint8Array;
  readonly own?: OwnRules;
  readonly table?: RuleTable;
}

export function createRedactor({ key, own = NO_OWN_RULES, table = TABLE }: RedactorOptions): Redactor {
  if (key.length < 16) throw new RangeError('the redaction key needs at least 16 bytes');
  // Without rules everything would be stamped as redacted, and nothing would be.
  if (table.rules.length === 0) throw new RangeError('a redactor without rules would pass everything on');
  const placeholder = createPlaceholder(key);
  const tokens = createTokenFinder(table);
  const ownFinder = createOwnFinder(own);
  const allowed = createAllowance(own);
  const shapes = new Set(['private-key', ...table.rules.map(({ kind }) => kind), ...table.shapes.map(({ kind }) => kind)]);
  let version: string | undefined;

  function replace(text: string, spans: readonly Span[], found: Found | undefined): string {
    let out = '';
    let done = 0;
    for (const { start, end, kind, secret } of settle(spans)) {
      if (allowed(secret)) continue;
      out += text.slice(done, start) + placeholder(kind, secret);
      done = end;
      found?.(kind);
    }
    return done === 0 ? text : out + text.slice(done);
  }

  /** Until nothing changes: taking one secret out can bare the edge of the next. */
  function redactText(text: string, found?: Found): string {
    if (text.length < SHORTEST) return text;
    let current = ownFinder === undefined ? text : replace(text, ownFinder(text), found);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const next = replace(current, findSecrets(current, tokens), found);
      if (next === current) return current;
      current = next;
    }
    found?.('unsettled');
    return placeholder('unsettled', text);
  }

  function redactValue(value: unknown, found?: Found): unknown {
    return redactFields(value, {
      text: (text) => redactText(text, found),
      secret(kind, secret) {
        if (allowed(secret)) return secret;
        found?.(kind);
        return placeholder(kind, secret);
      },
    });
  }

  return {
    get version() {
      version ??= versionOf(table, own);
      return version;
    },
    value: <T>(value: T, found?: Found) => brand(redactValue(value, found) as T),
    text: (text, found) => brand(redactText(text, found)),
    holdsToken: (text) => findSecrets(text, tokens).some(({ kind, secret }) => shapes.has(kind) && !allowed(secret)),
    stream() {
      const decoder = new StringDecoder('utf8');
      let text = '';
      return {
        write(piece) {
          text +=
            typeof piece === 'string'
              ? decoder.end() + piece
              : decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
        },
        end: (found) => brand(redactText(text + decoder.end(), found)),
      };
    },
  };
}

function versionOf(table: RuleTable, own: OwnRules): string {
  const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
  const added = own.rules.length + own.allow.length + own.personal.length === 0 ? '' : `+${digest(own)}`;
  return `${EDITION}-${digest(table)}${added}`;
}
