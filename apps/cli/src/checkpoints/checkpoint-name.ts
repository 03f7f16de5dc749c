import { type Checkpoint, shownPath } from '@piton/checkpoints';
import { oneLine, whole } from '../output/text.ts';

/** A file's name as a terminal may have it: names are foreign, and one may hold line ends or escape sequences. */
export const shownName = (path: string): string => whole(shownPath(path));

/** A name goes into a checkpoint clean, but anybody may write a ref. */
export const shownTitle = ({ name }: Pick<Checkpoint, 'name'>): string => oneLine(name);
