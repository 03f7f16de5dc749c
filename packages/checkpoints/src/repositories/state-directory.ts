import { join } from 'node:path';

/** What is known of each working tree lies in a folder of this directory. */
export const stateDirectory = (home: string): string => join(home, 'checkpoints');
