import type { Context } from '../context.ts';
import { showPaged } from './pager.ts';
import type { Colour } from './paint.ts';
import { replaceControls } from './text.ts';

/**
 * A pipe gets the exact bytes, for `git apply`. On a terminal a patch is untrusted text: control characters are replaced, nothing
 * is removed.
 */
export async function showPatch(context: Context, patch: Uint8Array): Promise<void> {
  if (!context.terminal) return context.outBytes(patch);
  await showPaged(context, patchText(context, Buffer.from(patch).toString()));
}

/** A patch with colours, as git paints it. */
export function patchText({ paint }: Pick<Context, 'paint'>, patch: string): string {
  let isInHunk = false;
  return patch
    .split('\n')
    .map((line) => {
      // A removed line may look like the head of a file, but only in a hunk.
      if (line.startsWith('@@')) isInHunk = true;
      else if (!/^[-+ \\]/.test(line)) isInHunk = false;
      const colour = colourOf(line, isInHunk);
      const text = replaceControls(line);
      return colour ? paint(colour, text) : text;
    })
    .join('\n');
}

function colourOf(line: string, isInHunk: boolean): Colour | undefined {
  if (line.startsWith('@@')) return 'cyan';
  if (!isInHunk) return line === '' ? undefined : 'bold';
  return line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : undefined;
}
