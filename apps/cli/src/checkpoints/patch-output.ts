import type { Context } from '../context.ts';
import { replaceControls } from '../output/text.ts';

/** A pipe gets a patch to the byte, for `git apply`. On a terminal it is text of others, which must not steer it; nothing is taken out. */
export function showPatch(context: Pick<Context, 'out' | 'outBytes' | 'terminal'>, patch: Uint8Array): void {
  if (!context.terminal) return context.outBytes(patch);
  context.out(Buffer.from(patch).toString().split('\n').map(replaceControls).join('\n'));
}
