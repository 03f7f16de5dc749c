/** Something that an answer says was done. */
export interface Claim {
  readonly kind: 'tests' | 'file' | 'commit';
  /** The sentence that says it. */
  readonly quote: string;
  /** Of `file`. */
  readonly path?: string;
}

/** A sentence with one of these says what may be, was not, or is somebody else's. */
const HEDGE =
  /\b(?:should|would|could|can|cannot|will|may|might|must|if|once|when|until|unless|before|assuming|hopefully|want|shall|please|needs?|plan|not|no|never|nothing|none|without|unable|except|but|although|however|fail(?:s|ed|ing|ures?)?|broken|errors?|remaining|yesterday|previously|earlier|CI|pipeline|you|your (?:tests|commit))\b|n['’]t\b|['’]ll\b/i;
/** These only sound like it. */
const HARMLESS =
  /\b(?:no|0|zero|without(?: any)?) (?:test )?(?:failures?|errors?|warnings?|regressions?)\b|\b0 (?:failed|failing)\b|\bas you (?:asked|requested|wanted)\b|\byour (?:changes|request)\b/gi;

const TESTS =
  /\b(?:tests|specs|test suite|test run|suite)\b[^.;]*?\b(?:pass|passes|passed|passing|succeed|succeeds|succeeded|green)\b|\b(?:pass|passes|passed|passing|green)\b[^.;]*\b(?:tests|specs|test suite|suite)\b|[`'"][^`'"]*\btest\b[^`'"]*[`'"][^.;]*\b(?:passes|passed|green)\b/i;

/** Who says it: the agent of itself, or a list of what was done. */
const SUBJECT = String.raw`(?:^|\b(?:I|we)(?:['’]ve| have| just| also| then|['’]ve also)*\s+|^(?:ok|done|finished|good|great)[,:!.]?\s+|\band\s+|,\s+)(?:successfully\s+|also\s+|then\s+)*`;
const WRITTEN = new RegExp(
  `${SUBJECT}(?:created|added|wrote|written|updated|modified|edited|changed|implemented|generated|saved|rewrote|rewritten)\\b(?<rest>.*)`,
  'i',
);
const COMMITTED = new RegExp(
  `${SUBJECT}(?:(?:pushed|staged|added) and )?committed\\b|\\b(?:changes?|work|fix|everything|it|code) (?:is|are|was|were|has been|have been)?\\s*(?:now )?committed\\b|${SUBJECT}(?:made|created) (?:a|the) commit\\b`,
  'i',
);
const NOT_COMMITTED = /\bcommitted by\b|\b(?:am|['’]m|are|remain|is|fully) committed to (?!the\b|a\b|your\b|[`'"]|main\b|master\b)/i;

const EXTENSIONS =
  'tsx?|jsx?|mjs|cjs|py|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|php|swift|sh|sql|md|txt|json|ya?ml|toml|html|css|scss|vue|svelte|xml|ini|cfg|proto|graphql|ex|exs|lua|dart|scala|tf|gradle';
const PATH = new RegExp(`(?:\\]\\()?([\\w@~./\\\\-]*[\\w-]\\.(?:${EXTENSIONS}))(?::\\d+(?::\\d+)?)?(?![\\w/])`, 'i');

/** What the answer claims, one claim a sentence and kind. Code and quotations say nothing of the agent's own. */
export function claimsIn(answer: string): Claim[] {
  const prose = answer.replace(/^(`{3,}|~{3,})[\s\S]*?^\1\s*$/gm, '').replace(/^\s*>.*$/gm, '');
  return sentencesOf(prose).flatMap((quote): Claim[] => {
    const plain = quote.replace(HARMLESS, '');
    if (quote.endsWith('?') || HEDGE.test(plain.replace(/`[^`]*`/g, '``'))) return [];
    const path = writtenPath(plain);
    return [
      ...(TESTS.test(withoutDots(plain)) ? [{ kind: 'tests' as const, quote }] : []),
      ...(path === undefined ? [] : [{ kind: 'file' as const, quote, path }]),
      ...(COMMITTED.test(plain) && !NOT_COMMITTED.test(plain) ? [{ kind: 'commit' as const, quote }] : []),
    ];
  });
}

/** A dot in a name ends no sentence. */
const withoutDots = (sentence: string): string => sentence.replace(/(?<=\w)[.;](?=\w)/g, '_');

/** Lines, and sentences in them, without the marks of lists and headings. A dot inside a name ends nothing. */
function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=[A-Z`"'([✅])/))
    .map((sentence) =>
      sentence
        .replace(/^[\s#*•\-–—+\d.)✅✔☑🎉]+/u, '')
        .replace(/\*\*/g, '')
        .trim(),
    )
    .filter((sentence) => sentence !== '');
}

/** The first file after the verb. Others in the sentence may only be mentioned. */
function writtenPath(sentence: string): string | undefined {
  const rest = WRITTEN.exec(sentence)?.groups?.rest;
  if (rest === undefined) return undefined;
  const link = /\]\(([^)\s:]+)/.exec(rest)?.[1];
  const named = PATH.exec(rest)?.[1];
  return link !== undefined && PATH.test(link) ? link : named;
}
