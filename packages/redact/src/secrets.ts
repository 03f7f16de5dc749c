import { AFTER_STRING } from './named/place.ts';
import { isReference } from './named/references.ts';
import { isPlaceholder } from './placeholder.ts';
import { scan } from './scan.ts';
import type { Span } from './span.ts';
import { mayBeSequence } from './text/characters.ts';
import { sequenceEnd } from './text/terminal.ts';
import { decoded, type View, withoutSequences } from './text/view.ts';
import type { TokenFinder } from './tokens.ts';

/**
 * What is secret in a text as it stands, and in the text that a reader would see: without colours, and decoded.
 * Where nothing is coloured or encoded, it is read once.
 */
export function findSecrets(text: string, tokens: TokenFinder): Span[] {
  const { spans, encoded, ...met } = scan(text, tokens);
  const sequences = met.sequences || spans.some((span) => hasSequence(text, span));
  if (!sequences && !encoded) return spans;
  const plain = sequences ? withoutSequences(text) : undefined;
  const seen = plain === undefined ? spans : joined(text, spans, plain, tokens);
  const meant = encoded ? decoded(plain?.text ?? text) : undefined;
  if (meant === undefined) return seen;
  const found = scan(meant.text, tokens)
    .spans.map((span) => {
      const back = meant.toSource(span);
      return plain === undefined ? back : plain.toSource(back);
    })
    .filter((span) => !isStructure(text, span));
  return [...seen, ...found];
}

/**
 * `["password&quot;="]`: beside a quote that is decoded, one that is not closes the text around both, and JSON goes on behind it. What
 * really begins so is found in the text as it stands.
 */
const isStructure = (text: string, { start }: Span): boolean => text[start - 1] === '"' && AFTER_STRING.test(text[start] ?? '');

/** Together with what is found without the control sequences. What only they made look like a secret is none. */
function joined(text: string, spans: readonly Span[], plain: View, tokens: TokenFinder): Span[] {
  const found = scan(plain.text, tokens).spans.map(plain.toSource);
  const kept = spans.filter((span) => {
    const bare = isCut(text, span) ? '' : withoutSequences(span.secret)?.text;
    if (bare === undefined) return true;
    if (bare === '' || isPlaceholder(bare) || isReference(bare, true)) return false;
    return !found.some(({ start, end, secret }) => secret === bare && start >= span.start && end <= span.end);
  });
  return [...kept, ...found];
}

/** The scan does not look inside what it has found. */
const hasSequence = (text: string, { start, end, secret }: Span): boolean =>
  (secret.length !== end - start || SPECIAL.test(secret)) && withoutSequences(text.slice(start, end)) !== undefined;
const SPECIAL = /[^\w~!@#$*()+={}|;:'",.<>?/ -]/;

/** Its last character is the first of a control sequence. */
const isCut = (text: string, { end }: Span): boolean => mayBeSequence(text.charCodeAt(end - 1)) && sequenceEnd(text, end - 1) > end;
