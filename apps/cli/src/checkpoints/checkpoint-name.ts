import { type Checkpoint, shownPath } from '@piton/checkpoints';
import { oneLine, replaceControls } from '../output/text.ts';

/** A file's name as a terminal may have it: names are foreign, and one may hold line ends or escape sequences. */
export const displayName = (path: string): string => replaceControls(shownPath(path));

/** A name goes into a checkpoint clean, but anybody may write a ref. */
export const displayTitle = ({ name }: Pick<Checkpoint, 'name'>): string => oneLine(name);
