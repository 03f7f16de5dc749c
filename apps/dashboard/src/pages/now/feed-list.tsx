import type { PageEventRow } from '@piton/contracts/page';
import { EventRow } from '../../parts/event-row.tsx';
import { formatCount } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { choose, route } from '../../router/route.ts';
import { type FeedFilter, mergeRows, useFeed } from './feed.ts';

type Kind = 'stopped' | 'all';

const isStopped = ({ decision, failed }: PageEventRow): boolean => decision === 'deny' || failed;

/** `recent`: what was denied or failed in the last hour, also where newer events have pushed it out of the feed. */
export function FeedList(props: { readonly filter: FeedFilter; readonly recent: readonly PageEventRow[]; readonly isPaused: boolean }) {
  const kind: Kind = route.value.query.get('feed') === 'all' ? 'all' : 'stopped';
  const { list, rows, held } = useFeed(props.filter, props.isPaused);
  const shown = kind === 'all' ? rows : mergeRows(props.recent, rows.filter(isStopped));
  return (
    <section class="card feed" aria-labelledby="feed-title">
      <header>
        <h2 id="feed-title">Just now</h2>
        {held > 0 && (
          <span class="badge accent" role="status">
            {formatCount(held)} new
          </span>
        )}
        <span class="end">
          <Segments
            label="Which events"
            chosen={kind}
            options={[
              ['stopped', 'Denied, failed'],
              ['all', 'All'],
            ]}
            choose={(feed) => choose({ feed: feed === 'stopped' ? undefined : feed })}
          />
        </span>
      </header>
      <Shown of={list} lines={8}>
        {() =>
          shown.length > 0 ? (
            <ul class="rows event-rows">
              {shown.map((row) => (
                <EventRow key={row.id} row={row} />
              ))}
            </ul>
          ) : kind === 'all' ? (
            <Empty title="Nothing was recorded yet" text="Start an agent in a repository where piton init ran." command="piton init" />
          ) : (
            <Empty title="Nothing was denied, nothing failed" />
          )
        }
      </Shown>
    </section>
  );
}
