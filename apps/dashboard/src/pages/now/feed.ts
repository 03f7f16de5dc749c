import type { PageEventRow, PageFrame } from '@piton/contracts/page';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { onFrame, onReset } from '../../api/live.ts';
import { useList } from '../../api/resource.ts';

const MAX_ROWS = 200;

/** Newest first. A record that changed again replaces itself. */
export function mergeRows(rows: readonly PageEventRow[], changed: readonly PageEventRow[]): readonly PageEventRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of changed) {
    const known = byId.get(row.id);
    if (!known || known.seq <= row.seq) byId.set(row.id, row);
  }
  return [...byId.values()].sort((a, b) => b.at - a.at || b.seq - a.seq).slice(0, MAX_ROWS);
}

const withoutGone = (rows: readonly PageEventRow[], { changes }: PageFrame): readonly PageEventRow[] => {
  const gone = new Set(changes.flatMap((change) => (change.kind === 'gone' ? [change.id] : [])));
  return gone.size === 0 ? rows : rows.filter(({ id }) => !gone.has(id));
};

export interface FeedFilter {
  readonly agent: string | undefined;
  readonly repository: string | undefined;
  readonly root: string | undefined;
}

/** Events as they come. While paused they are counted, and shown afterwards. */
export function useFeed({ agent, repository, root }: FeedFilter, isPaused: boolean) {
  const list = useList('/api/events', [], { limit: 60, ...(agent && { agent }), ...(repository && { repository }) });
  const [came, set] = useState<readonly PageEventRow[]>([]);
  const [shown, show] = useState<readonly PageEventRow[]>([]);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  useEffect(() => {
    const stops = [
      onFrame((frame) => {
        const rows = frame.changes.flatMap((change) => (change.kind === 'event' ? [change.event] : []));
        set((before) => withoutGone(mergeRows(before, rows), frame));
      }),
      onReset(() => set([])),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const current = useMemo(() => {
    const matching = came.filter((row) => (!agent || row.agent === agent) && (!root || row.root === root));
    return mergeRows(list.value ?? [], matching);
  }, [list.value, came, agent, root]);
  useEffect(() => {
    if (!isPaused) show(current);
  }, [current, isPaused]);
  const known = new Set(shown.map(({ id }) => id));
  return { list, rows: isPaused ? shown : current, held: isPaused ? current.filter(({ id }) => !known.has(id)).length : 0 };
}
