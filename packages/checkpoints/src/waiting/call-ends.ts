import { realpathSync } from 'node:fs';
import { monotonicUs, ulidTime } from '@piton/contracts';
import type { NamedFiles } from '../authors/named-files.ts';
import type { CheckpointRequest, TreeSession } from '../turns/messages.ts';
import { Sessions } from '../turns/session-work.ts';
import type { WorkerContext } from '../turns/worker-context.ts';
import { namedAs, readNamedNow } from './named-now.ts';
import { isKeptUntil } from './waiting-events.ts';

interface Ending {
  readonly where: TreeSession;
  /** Null: all calls of the session. */
  readonly key: string | null;
  /** The stamp of an event that was late. */
  readonly late: string | undefined;
}

interface ReadAhead {
  readonly key: string | null;
  readonly dealtWith: () => void;
  readonly unending: NodeJS.Timeout;
}

interface ReadBefore {
  /** Whether the agent still waits. */
  readonly isInTime?: () => boolean;
  /** It was read already, and then. */
  readonly known?: { readonly read: Parameters<typeof namedAs>[0]; readonly readMs: number };
}

type Ended = readonly [key: string, named: NamedFiles & { readonly stays?: boolean }];

/** Which calls end with this. A prompt ends those of the turn before, of whose interruption nobody tells. */
function endingOf(request: CheckpointRequest): Ending | null {
  const { kind } = request;
  if (kind === 'call-over') return { where: request, key: request.key, late: request.late };
  if (kind === 'interrupted') return { where: request, key: null, late: request.late };
  if (kind === 'late-prompt') return { where: request, key: null, late: request.turn };
  if (kind === 'prompt' || kind === 'stop' || kind === 'session-over') return { where: request, key: null, late: undefined };
  return null;
}

/** An end comes right behind its reading. Without it looks must not go on taking files as they were then. */
const END_COMES_WITHIN_MS = 60_000;

export interface CallEnds {
  /** What these calls name is read now: the agent waits for it, and whoever sees it go on may write there next. */
  read(request: CheckpointRequest & { kind: 'ending' }): void;
  /** Gives back what takes the ends that come with this out of the line; null where there are none. */
  note(request: CheckpointRequest): { readonly directory: string; readonly dealtWith: () => void } | null;
}

/**
 * What calls have made of the files that they name is read in the moment in which they end: when their end comes to its turn in the line,
 * others may have changed them.
 */
export function createCallEnds({ names, waiting, home }: Pick<WorkerContext, 'names' | 'waiting' | 'home'>): CallEnds {
  /** Ends that were read before they came, by working tree and session. */
  const ahead = new Sessions<ReadAhead[]>();
  const placeOf = ({ directory, session }: TreeSession): string => [directory, session].join('\0');

  /**
   * `key`: of the end that was heard. With null the turn is over: calls that were open until then have ended unheard at some time before,
   * such as those that a person interrupted or did not permit, and what they name may have been changed by others since.
   */
  const readNow = (
    { directory, session }: TreeSession,
    key: string | null,
    ended: readonly Ended[],
    { isInTime = () => true, known }: ReadBefore = {},
  ): (() => void) => {
    const readMs = known?.readMs ?? Date.now();
    const names = ended.map(([, named]) => named);
    const read = known ? namedAs(known.read) : readNamedNow(directory, names);
    // Of what was read after the agent went on nobody knows who changed it.
    const isReadInTime = isInTime();
    const isHeard = ([, { stays }]: Ended): boolean => isReadInTime && (key !== null || stays === true);
    const keysOf = (wanted: boolean): string[] => ended.filter((each) => isHeard(each) === wanted).map(([each]) => each);
    const over = { session, atMs: readMs };
    const closers = [
      waiting.add(directory, {
        ...(isReadInTime && { files: read.held, readMs }),
        over: { ...over, keys: keysOf(true), isRead: read.isRead },
      }),
      waiting.add(directory, { over: { ...over, keys: keysOf(false), isRead: () => false } }),
    ];
    return () => {
      for (const close of closers) close();
    };
  };

  const noteLate = ({ where: { directory, session }, key }: Ending, late: string): (() => void) => {
    const root = realpathSync(directory);
    const isRead = (path: string): boolean => isKeptUntil(home, root, late, path);
    const over = { session, keys: key === null ? null : [key], stamp: late, atMs: ulidTime(late), isRead };
    return waiting.add(directory, { over });
  };

  const takeAhead = (where: TreeSession, key: string | null): (() => void)[] => {
    const place = placeOf(where);
    const all = ahead.get(place) ?? [];
    const isIt = (one: ReadAhead): boolean => key === null || one.key === key;
    const left = all.filter((one) => !isIt(one));
    if (left.length > 0) ahead.set(place, left);
    else ahead.delete(place);
    return all.filter(isIt).map(({ dealtWith, unending }) => {
      clearTimeout(unending);
      return dealtWith;
    });
  };

  return {
    read(request) {
      const { key, files } = request;
      const how: ReadBefore = 'read' in request ? { known: request } : { isInTime: () => monotonicUs() < request.untilUs };
      const known = names.ends(request, key);
      // Of a call that began before this thread did, its end says what it named.
      const ended: readonly Ended[] = known.length > 0 || key === null ? known : [[key, { files, patterns: [] }]];
      if (ended.every(([, named]) => named.files.length + named.patterns.length === 0)) return;
      try {
        const dealtWith = readNow(request, key, ended, how);
        const unending = setTimeout(dealtWith, END_COMES_WITHIN_MS).unref();
        ahead.set(placeOf(request), [...(ahead.get(placeOf(request)) ?? []), { key, dealtWith, unending }]);
      } catch {
        // the place is gone
      }
    },
    note(request) {
      const ending = endingOf(request);
      if (ending === null) return null;
      const { where, key, late } = ending;
      const known = takeAhead(where, key);
      const ended = names.ends(where, key);
      try {
        if (late !== undefined) known.push(noteLate(ending, late));
        else if (ended.length > 0) known.push(readNow(where, key, ended));
      } catch {
        // the place is gone
      }
      if (known.length === 0) return null;
      return {
        directory: where.directory,
        dealtWith: () => {
          for (const each of known) each();
        },
      };
    },
  };
}
