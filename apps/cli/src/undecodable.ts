import { existsSync } from 'node:fs';
import type { Context } from './context.ts';

/** Node puts this in for bytes that are no UTF-8, so the path that it gives is that of nothing. */
const REPLACED = '\ufffd';

/** Why no checkpoints are taken in the current directory, whatever it is: nobody can say by its path what lies there. */
export const undecodableHere = ({ cwd }: Pick<Context, 'cwd'>): string | undefined =>
  cwd.includes(REPLACED) && !existsSync(cwd)
    ? 'the path of this directory is not valid UTF-8, so Piton takes no checkpoints here'
    : undefined;
