import { isAwsSecret } from './aws-secrets.ts';
import { isHighEntropy, looksLikePassword } from './entropy.ts';
import { nested, type SecretName, secretName } from './named/names.ts';
import { isLabel, isReference } from './named/references.ts';
import { isPlaceholder, TOO_DEEP } from './placeholder.ts';

const DEEPEST = 256;
const SCHEME = /^([A-Za-z][A-Za-z0-9-]{2,31} {1,4})(\S.*)$/s;
const AWS_ID = /^(?:AKIA|ASIA)[A-Z0-9]{16}$/;
/** The short fields that name what stands in `value` beside them. */
const NAMING_FIELDS = ['name', 'key', 'Name', 'Key', 'header', 'variable'];
const VALUE_FIELDS: ReadonlySet<string> = new Set(['value', 'Value', 'content', 'val']);

/** The secret name that a value stands under. */
interface Under {
  readonly name: string;
  readonly secret: SecretName;
}

/** What the walk does with the strings that it meets. */
export interface FieldPorts {
  readonly text: (text: string) => string;
  /** A whole field that is secret: its placeholder, or the text itself where the user allows it. */
  readonly secret: (kind: string, secret: string) => string;
}

/** Redacts every string of a JSON value, and those under secret names whatever they look like. Gives back the same object where nothing changed. */
export function redactFields(value: unknown, ports: FieldPorts): unknown {
  return walk(value, undefined, 0);

  function walk(item: unknown, under: Under | undefined, depth: number): unknown {
    if (typeof item === 'string') return under === undefined ? ports.text(item) : field(item, under.name, under.secret);
    if (typeof item !== 'object' || item === null) return item;
    if (depth >= DEEPEST) return TOO_DEEP;
    return Array.isArray(item) ? list(item, under, depth) : object(item as Record<string, unknown>, under, depth);
  }

  function list(items: readonly unknown[], under: Under | undefined, depth: number): unknown {
    const aws = items.some(isAwsId);
    let copy: unknown[] | undefined;
    for (const [at, item] of items.entries()) {
      const next = aws && typeof item === 'string' && isAwsSecret(item) ? ports.secret('aws-secret', item) : walk(item, under, depth + 1);
      if (next !== item) {
        copy ??= [...items];
        copy[at] = next;
      }
    }
    return copy ?? items;
  }

  function object(fields: Record<string, unknown>, around: Under | undefined, depth: number): unknown {
    const entries = Object.entries(fields);
    const aws = entries.some(([, item]) => isAwsId(item));
    const named = namedPair(fields) ?? (around && { name: around.name, secret: nested(around.secret) });
    // A tokenizer's token is a piece of a word.
    const words = 'logprob' in fields;
    let changed = false;
    const next = entries.map(([name, item]): [string, unknown] => {
      // Judged by the name that stays: a second run must come to the same result.
      const kept = ports.text(name);
      const own = words ? undefined : secretName(kept);
      const under = named !== undefined && VALUE_FIELDS.has(name) ? named : own && { name: kept, secret: own };
      const result = aws && typeof item === 'string' && isAwsSecret(item) ? ports.secret('aws-secret', item) : walk(item, under, depth + 1);
      changed ||= kept !== name || result !== item;
      return [kept, result];
    });
    // fromEntries defines own fields, so that a field called __proto__ stays a field.
    return changed ? Object.fromEntries(next) : fields;
  }

  /** `{ "name": "DB_PASSWORD", "value": "…" }`: the secret name is itself a value. */
  function namedPair(fields: Record<string, unknown>): Under | undefined {
    for (const each of NAMING_FIELDS) {
      const name = fields[each];
      const found = typeof name === 'string' && name.length <= 128 ? secretName(ports.text(name)) : undefined;
      if (found !== undefined) return { name: name as string, secret: found };
    }
    return undefined;
  }

  function field(text: string, name: string, { kind, weak, likely }: SecretName): string {
    // A secret that a rule knows by its shape gets that rule's name, here as anywhere else.
    const known = ports.text(text);
    // Judged by what is left: a second run must come to the same result.
    if (isPlaceholder(known) || isReference(known, true) || isLabel(name, known)) return known;
    if (weak) return isHighEntropy(known) || (likely === true && looksLikePassword(known)) ? ports.secret(kind, known) : known;
    const scheme = kind === 'authorization' ? SCHEME.exec(known) : null;
    if (scheme === null) return ports.secret(kind, text);
    const [, word = '', rest = ''] = scheme;
    return word + (isPlaceholder(rest) || isReference(rest, true) ? rest : ports.secret(kind, rest));
  }
}

const isAwsId = (item: unknown): boolean => typeof item === 'string' && item.length === 20 && AWS_ID.test(item);
