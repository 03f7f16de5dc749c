/** Nothing that a terminal or a model would read as anything but text: controls, marks of direction, characters without a width. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+|\p{Variation_Selector}/gu;
/** What looks like the begin or end of a block could end ours. */
const TAG = /<(?=[/!?a-z])/gi;

/**
 * Text of a person, a file, a tool or a model on one line, in quotes that it cannot end. All of it that gets into injected text goes
 * through here.
 */
export function quote(text: string, longest: number): string {
  const plain = text.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
  return JSON.stringify(clip(plain, longest)).replace(TAG, '\\u003c').replace(/`/g, '\\u0060');
}

/** The same for the end of a text. */
export function quoteEnd(text: string, longest: number): string {
  const plain = text.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  return quote(characters.length > longest ? `…${characters.slice(1 - longest).join('')}` : plain, longest);
}

/** By characters, not halves of them. */
function clip(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
