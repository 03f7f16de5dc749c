import type { Span } from './span.ts';

/** Personal data, known by its shape alone. Off unless the user asks for it. */
export const PERSONAL_NAMES = ['email', 'phone', 'address'] as const;
export type PersonalName = (typeof PERSONAL_NAMES)[number];

interface PersonalRule {
  /** Every repeat is bounded, and none can begin in the middle of a run: a text is read in time with its length. */
  readonly pattern: RegExp;
  readonly test?: (match: string, next: string) => boolean;
}

/** At the beginning of a word. `\n` and the like in JSON are no part of it. */
const START = '(?:(?<=\\\\[nrt])|(?<![\\w.+%\\\\-]))';
const STREET = 'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Square|Sq|Way|Place|Terrace|Parkway|Pkwy|Highway|Hwy';

const RULES: Readonly<Record<PersonalName, readonly PersonalRule[]>> = {
  email: [
    {
      pattern: new RegExp(`${START}[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\\.){1,8}[A-Za-z]{2,24}(?![\\w-])`, 'g'),
      // git@host:team/repo, and the user of a URL with a password.
      test: (match, next) => !match.startsWith('git@') && next !== ':',
    },
  ],
  phone: [
    { pattern: new RegExp(`${START}\\+[1-9][0-9 ().-]{6,18}[0-9](?![\\w-])`, 'g'), test: (match) => isNumber(match) },
    { pattern: new RegExp(`${START}(?:\\([2-9][0-9]{2}\\) ?|[2-9][0-9]{2}[ .-])[0-9]{3}[ .-][0-9]{4}(?![\\w-])`, 'g') },
  ],
  address: [
    { pattern: new RegExp(`${START}[0-9]{1,5}[A-Za-z]? (?:[A-Z][a-z]{1,20} ){1,3}(?:${STREET})(?![A-Za-z])`, 'g') },
    {
      pattern: new RegExp(
        `${START}[A-ZÄÖÜ][a-zäöüß-]{1,24}(?:straße|strasse|str\\.|weg|platz|allee|gasse) [0-9]{1,4}[a-z]?(?![\\w-])`,
        'g',
      ),
    },
  ],
};

/** A line that a diff adds begins with a plus too: a bare number must be as long as one with its country and area. */
function isNumber(match: string): boolean {
  const digits = match.replace(/[^0-9]/g, '').length;
  return digits >= 8 && digits <= 15 && (digits >= 11 || /[ ().-]/.test(match));
}

export function findPersonal(text: string, names: readonly PersonalName[]): Span[] {
  return names.flatMap((kind) =>
    RULES[kind].flatMap(({ pattern, test }) =>
      Array.from(text.matchAll(pattern))
        .map(({ index, 0: secret }): Span => ({ start: index, end: index + secret.length, kind, secret }))
        .filter(({ secret, end }) => test?.(secret, text.charAt(end)) ?? true),
    ),
  );
}
