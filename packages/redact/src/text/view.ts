import type { Span } from '../span.ts';
import { mayBeSequence } from './characters.ts';
import { sequenceEnd } from './terminal.ts';

/** The text as it was meant, and where each of its spans stands in the text as it is. */
export interface View {
  readonly text: string;
  readonly toSource: (span: Span) => Span;
}

/** From this place in the view on, the source goes on at `source`. */
interface Cut {
  readonly view: number;
  readonly source: number;
}

/** Puts a view together from the pieces of a source. */
function createBuilder(source: string) {
  const cuts: Cut[] = [{ view: 0, source: 0 }];
  let text = '';
  let done = 0;
  return {
    /** What stands from `start` to `end` reads as `meaning`. */
    replace(start: number, end: number, meaning: string): void {
      text += source.slice(done, start) + meaning;
      done = end;
      cuts.push({ view: text.length, source: end });
    },
    get changed(): boolean {
      return done > 0;
    },
    /** `inner`: a span that ends with a replaced piece holds all of that piece. */
    view(inner: boolean): View {
      const whole = text + source.slice(done);
      const cutAt = (view: number): Cut => {
        let [low, high] = [0, cuts.length - 1];
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if ((cuts[middle] as Cut).view <= view) low = middle;
          else high = middle - 1;
        }
        return cuts[low] as Cut;
      };
      const sourceOf = (view: number): number => {
        const cut = cutAt(view);
        return cut.source + view - cut.view;
      };
      return {
        text: whole,
        toSource(span) {
          const next = cutAt(span.end);
          const end = inner && next.view === span.end ? next.source : sourceOf(span.end - 1) + 1;
          return { ...span, start: sourceOf(span.start), end };
        },
      };
    },
  };
}

/** Without the control sequences of terminals. */
export function withoutSequences(source: string): View | undefined {
  const builder = createBuilder(source);
  for (let at = 0; at < source.length; ) {
    const end = mayBeSequence(source.charCodeAt(at)) ? sequenceEnd(source, at) : -1;
    if (end > at) builder.replace(at, end, '');
    at = end > at ? end : at + 1;
  }
  return builder.changed ? builder.view(false) : undefined;
}

/** A character as URLs, JSON, scripts and pages write it. A backslash stays: what it escapes is for others to say. */
const ENCODED =
  /%(?:25){0,4}([2-7][0-9a-f])|\\{1,16}(?:u00([2-7][0-9a-f])|x([2-7][0-9a-f])|(\/))|&(?:#(3[2-9]|[4-9][0-9]|1[01][0-9]);|#x([2-7][0-9a-f]);|(quot|amp|apos|lt|gt);)/gi;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' };

/** With every encoded character of ASCII as itself. */
export function decoded(source: string): View | undefined {
  const builder = createBuilder(source);
  for (const match of source.matchAll(ENCODED)) {
    const [whole, percent, unicode, hex, slash, decimal, entity, name] = match;
    const code = percent ?? unicode ?? hex ?? entity;
    const meaning =
      slash ??
      (name === undefined ? undefined : ENTITIES[name.toLowerCase()]) ??
      String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16));
    if (meaning !== '\\' && meaning !== '\u007f') builder.replace(match.index, match.index + whole.length, meaning);
  }
  return builder.changed ? builder.view(true) : undefined;
}
