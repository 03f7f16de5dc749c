import { type Checkpoint, shownPath } from '@piton/checkpoints';
import { oneLine, replaceControls } from '../output/text.ts';

/** A file name, safe for a terminal: it comes from elsewhere and may contain line breaks or escape sequences. */
export const displayName = (path: string): string => replaceControls(shownPath(path));

/** Piton writes clean names into checkpoints, but anyone can write a ref. */
export const displayTitle = ({ name }: Pick<Checkpoint, 'name'>): string => oneLine(name);
