/** A secret that is known by its own shape, wherever it stands. */
export interface Rule {
  /** The word in the placeholder. */
  readonly kind: string;
  /** Where its shape is written down. */
  readonly page: string;
  /** It begins with one of these: nothing else of the rule is looked at where none of them stands. */
  readonly prefixes: readonly string[];
  /**
   * A regular expression for what follows the prefix. No quantifier stands inside another, each is bounded, and what
   * follows one is no part of its class: a try costs at most the length of the longest secret.
   */
  readonly rest: string;
  /** The prefix stays: it is an address, and the secret begins behind it. */
  readonly keep?: true;
  /** For prefixes that begin ordinary words too. */
  readonly test?: (secret: string) => boolean;
}

export const LONGEST_TOKEN = 8192;

const DIGIT = /[0-9]/;
const LETTER = /[A-Za-z]/;
const CAPITAL = /[A-Z]/;
const SMALL = /[a-z]/;

/** Letters and digits together: prose and identifiers rarely have both, secrets nearly always. */
export const looksRandom = (text: string): boolean => DIGIT.test(text) && LETTER.test(text);
/** As above, and not all of one case: no slug and no constant. */
export const looksMixed = (text: string): boolean => DIGIT.test(text) && SMALL.test(text) && CAPITAL.test(text);

/** As above, with several digits: no identifier that ends in a number. */
export const looksDealt = (text: string): boolean => looksMixed(text) && text.replace(/[^0-9]/g, '').length >= 3;

/** Ends of a rest: the run of its characters ends here. */
export const END = '(?![A-Za-z0-9])';
export const END_WORD = '(?![A-Za-z0-9_-])';

/** The shapes of many services are collected there, each with a test. */
export const COLLECTED = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml';
