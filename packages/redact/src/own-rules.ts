import { boundPattern } from '@piton/contracts';
import { findPersonal, PERSONAL_NAMES, type PersonalName } from './personal.ts';
import { isKind } from './placeholder.ts';
import type { Span } from './span.ts';

/** What `redact` in the settings comes to. */
export interface OwnRules {
  readonly rules: readonly { readonly name: string; readonly pattern: string }[];
  /** Texts that are no secrets, or patterns between slashes that they match as a whole. */
  readonly allow: readonly string[];
  /** Personal data that is replaced as well. */
  readonly personal: readonly PersonalName[];
}
export const NO_OWN_RULES: OwnRules = { rules: [], allow: [], personal: [] };

const MOST = 100;

/** Takes what is right in a setting and says what is not: one bad rule must not switch off the others. */
export function readOwnRules(setting: unknown): { readonly own: OwnRules; readonly problems: readonly string[] } {
  if (setting === undefined) return { own: NO_OWN_RULES, problems: [] };
  if (typeof setting !== 'object' || setting === null || Array.isArray(setting))
    return { own: NO_OWN_RULES, problems: ['"redact" is not an object'] };
  const { rules, allow, personal } = setting as { rules?: unknown; allow?: unknown; personal?: unknown };
  const problems: string[] = [];
  const list = (value: unknown, name: string): readonly unknown[] => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) problems.push(`"redact.${name}" is not a list`);
    else if (value.length > MOST) problems.push(`"redact.${name}" has more than ${MOST} entries. The rest is ignored`);
    return Array.isArray(value) ? value.slice(0, MOST) : [];
  };
  const good = list(rules, 'rules').flatMap((entry, at) => {
    const { name, pattern } = (entry ?? {}) as { name?: unknown; pattern?: unknown };
    const problem = ruleProblem(name, pattern);
    if (problem !== undefined) problems.push(`redact.rules.${at} ${problem}`);
    return problem === undefined ? [{ name: name as string, pattern: pattern as string }] : [];
  });
  const allowed = list(allow, 'allow').filter((entry, at): entry is string => {
    const problem = typeof entry === 'string' && entry !== '' ? allowProblem(entry) : 'is not a string';
    if (problem !== undefined) problems.push(`redact.allow.${at} ${problem}`);
    return problem === undefined;
  });
  const kinds = list(personal, 'personal').filter((entry, at): entry is PersonalName => {
    const known = PERSONAL_NAMES.some((name) => name === entry);
    if (!known) problems.push(`redact.personal.${at} is not one of ${PERSONAL_NAMES.join(', ')}`);
    return known;
  });
  return { own: { rules: good, allow: allowed, personal: [...new Set(kinds)] }, problems };
}

function ruleProblem(name: unknown, pattern: unknown): string | undefined {
  if (typeof name !== 'string' || !isKind(name)) return 'needs a "name" of small letters, digits and dashes (used in the placeholder)';
  if (typeof pattern !== 'string' || pattern === '') return 'needs a "pattern", a regular expression';
  const bounded = boundPattern(pattern);
  if (!bounded.ok) return `(${name}): the pattern ${bounded.problem}`;
  return new RegExp(`^(?:${bounded.source})$`).test('') ? `(${name}): the pattern matches the empty string` : undefined;
}

const slashed = (text: string): string | undefined => /^\/(.+)\/$/s.exec(text)?.[1];

function allowProblem(entry: string): string | undefined {
  const source = slashed(entry);
  const bounded = source === undefined ? undefined : boundPattern(source);
  return bounded?.ok === false ? `: the pattern ${bounded.problem}` : undefined;
}

/** Finds what the user's own patterns match. If a pattern has a group, the first one is the secret. */
export function createOwnFinder({ rules, personal }: OwnRules): ((text: string) => Span[]) | undefined {
  const prepared = rules.flatMap(({ name, pattern }) => {
    const bounded = boundPattern(pattern);
    return bounded.ok ? [{ kind: name, pattern: new RegExp(bounded.source, 'gd') }] : [];
  });
  if (prepared.length + personal.length === 0) return undefined;
  return (text) => [...findPersonal(text, personal), ...ownMatches(text)];

  function ownMatches(text: string): Span[] {
    return prepared.flatMap(({ kind, pattern }) =>
      Array.from(text.matchAll(pattern)).flatMap((match): Span[] => {
        const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
        const secret = text.slice(start, end);
        return secret === '' || secret.includes('[redacted:') || isInside(text, start) ? [] : [{ start, end, kind, secret }];
      }),
    );
  }
}

/** Is this place within a placeholder? Its kind and its digits are nobody's secret. */
function isInside(text: string, at: number): boolean {
  const open = text.lastIndexOf('[redacted:', at);
  return open !== -1 && at - open < 64 && text.indexOf(']', open) >= at;
}

const LONGEST_ALLOWED = 512;

/** May this stay, though a rule found it? */
export function createAllowance({ allow }: OwnRules): (secret: string) => boolean {
  if (allow.length === 0) return () => false;
  const exact = new Set(allow.filter((entry) => slashed(entry) === undefined));
  const patterns = allow.flatMap((entry) => {
    const bounded = boundPattern(slashed(entry) ?? '');
    return slashed(entry) !== undefined && bounded.ok ? [new RegExp(`^(?:${bounded.source})$`)] : [];
  });
  return (secret) => exact.has(secret) || (secret.length <= LONGEST_ALLOWED && patterns.some((pattern) => pattern.test(secret)));
}
