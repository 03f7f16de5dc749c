import { realpathSync } from 'node:fs';
import { ulidTime } from '@piton/contracts';
import type { CheckpointRequest, TreeSession } from '../turns/messages.ts';
import type { WorkerContext } from '../turns/worker-context.ts';
import { readNamedNow } from './named-now.ts';
import { isKeptUntil } from './waiting-events.ts';

interface Ending {
  readonly where: TreeSession;
  /** Null: all calls of the session. */
  readonly key: string | null;
  /** The stamp of an event that was late. */
  readonly late: string | undefined;
}

/** Which calls end with this. A prompt ends those of the turn before, of whose interruption nobody tells. */
function endingOf(request: CheckpointRequest): Ending | null {
  const { kind } = request;
  if (kind === 'call-over') return { where: request, key: request.key, late: request.late };
  if (kind === 'interrupted') return { where: request, key: null, late: request.late };
  if (kind === 'late-prompt') return { where: request, key: null, late: request.turn };
  if (kind === 'prompt' || kind === 'stop' || kind === 'session-over') return { where: request, key: null, late: undefined };
  return null;
}

/**
 * What calls have made of the files that they name is read in the moment in which they end: when their end comes to its turn in the line,
 * others may have changed them. Gives back what takes that out of the line; null where there is nothing.
 */
export function noteEnds(
  { names, waiting, home }: WorkerContext,
  request: CheckpointRequest,
): { readonly directory: string; readonly dealtWith: () => void } | null {
  const ending = endingOf(request);
  if (ending === null) return null;
  const { where, key, late } = ending;
  const { directory, session } = where;
  const ended = names.ends(where, key);
  try {
    if (late !== undefined) {
      const root = realpathSync(directory);
      const isRead = (path: string): boolean => isKeptUntil(home, root, late, path);
      const over = { session, keys: key === null ? null : [key], stamp: late, atMs: ulidTime(late), isRead };
      return { directory, dealtWith: waiting.add(directory, { over }) };
    }
    if (ended.length === 0) return null;
    const readMs = Date.now();
    const read = readNamedNow(
      directory,
      ended.map(([, named]) => named),
    );
    const over = { session, keys: ended.map(([each]) => each), atMs: readMs, isRead: read.isRead };
    return { directory, dealtWith: waiting.add(directory, { files: read.held, readMs, over }) };
  } catch {
    return null; // the place is gone
  }
}
