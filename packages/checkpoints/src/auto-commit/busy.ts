import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openOperation, type Repository } from '../repositories/repository.ts';

/** A bisect moves HEAD about as well, though nothing of it is half done. */
export const isBusy = (repository: Repository): boolean =>
  openOperation(repository) !== null || ['BISECT_LOG', 'sequencer'].some((name) => existsSync(join(repository.gitDir, name)));
