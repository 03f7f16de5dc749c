import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** What is kept of a session, in a folder of such files. Ids come from agents and may hold anything. */
export const sessionFile = (folder: string, session: string): string =>
  join(folder, `${createHash('sha256').update(session).digest('hex').slice(0, 24)}.json`);
