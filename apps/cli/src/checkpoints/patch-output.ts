import type { Context } from '../context.ts';
import { replaceControls } from '../output/text.ts';

/**
 * A pipe gets the exact bytes, for `git apply`. On a terminal a patch is untrusted text: control characters are replaced, nothing
 * is removed.
 */
export function showPatch(context: Pick<Context, 'out' | 'outBytes' | 'terminal'>, patch: Uint8Array): void {
  if (!context.terminal) return context.outBytes(patch);
  context.out(Buffer.from(patch).toString().split('\n').map(replaceControls).join('\n'));
}
