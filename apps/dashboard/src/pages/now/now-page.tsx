import type { PageFrame, PageNow } from '@piton/contracts/page';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { onFrame } from '../../api/live.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useApi } from '../../api/resource.ts';
import { useKeys } from '../../keyboard/keys.ts';
import { AgentChoice, RepositoryChoice, useRepositories } from '../../parts/filters.tsx';
import { Problem, Shown } from '../../parts/states.tsx';
import { route } from '../../router/route.ts';
import { FeedList } from './feed-list.tsx';
import { Lanes } from './lanes.tsx';
import { RunningList } from './running-list.tsx';
import { WaitingList } from './waiting-list.tsx';
import './now.css';

const concerns = ({ changes }: PageFrame): boolean => changes.some(({ kind }) => kind === 'event' || kind === 'session');

/** Who waits comes with the frame itself: it is what must not be late. */
function useNow(isPaused: boolean) {
  const now = useApi('/api/now', [], {});
  const [newer, set] = useState<{ readonly waiting: PageNow['waiting']; readonly seq: number }>();
  useEffect(() => onFrame(({ waiting, seq }) => waiting && set({ waiting, seq })), []);
  const reload = useMemo(() => (isPaused ? () => {} : now.reload), [isPaused, now.reload]);
  useRefresh(reload, concerns);
  const { value } = now;
  const waiting = newer && (!value || newer.seq > value.seq) ? newer.waiting : value?.waiting;
  return { now, waiting };
}

export function NowPage() {
  const [isPaused, pause] = useState(false);
  const { now, waiting } = useNow(isPaused);
  const repositories = useRepositories();
  const [agent, repository] = ['agent', 'repository'].map((name) => route.value.query.get(name) ?? undefined);
  const root = repository === undefined ? undefined : repositories.find(({ id }) => id === repository)?.root;
  useKeys(useMemo(() => [{ key: 'p', does: 'pause, go on', run: () => pause((before) => !before) }], []));
  const concernsUs = (each: { readonly agent: string; readonly root: string | null }) =>
    (!agent || each.agent === agent) && (!root || each.root === root);
  return (
    <>
      <header class="page-head">
        <h1>Now</h1>
        <div class="end toolbar">
          <AgentChoice />
          <RepositoryChoice repositories={repositories} />
          <button type="button" class="button" aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </button>
        </div>
      </header>
      <div class="now-grid">
        {now.problem && !now.value && <Problem problem={now.problem} retry={now.reload} />}
        {(waiting || !now.problem) && <WaitingList waiting={waiting?.filter(concernsUs)} />}
        <Lanes agent={agent} repository={repository} isPaused={isPaused} />
        <Shown of={{ ...now, problem: undefined }}>
          {({ running }) => <RunningList running={running.filter(({ session }) => concernsUs(session))} />}
        </Shown>
        <FeedList filter={{ agent, repository, root }} recent={(now.value?.recent ?? []).filter(concernsUs)} isPaused={isPaused} />
      </div>
    </>
  );
}
