import type { PageHook } from '@piton/contracts/page';
import { useList } from '../../api/resource.ts';
import type { DecisionName } from '../../api/words.ts';
import { DecisionBadge } from '../../parts/decision.tsx';
import { RepositoryChoice, useRepositories } from '../../parts/filters.tsx';
import { countOf, formatCount, formatDuration, nameOfPath } from '../../parts/format.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { route, routeTo } from '../../router/route.ts';
import { HookDetail } from './hook-detail.tsx';
import './hooks.css';

const BAD_STATES = new Set(['broken', 'not executable', 'never']);
const WARN_STATES = new Set(['changed', 'not trusted', 'disabled']);
const toneOf = (state: string): string =>
  BAD_STATES.has(state) ? 'bad' : WARN_STATES.has(state) ? 'warn' : state === 'ready' ? 'good' : '';

const keyOf = (hook: PageHook): string => `${hook.id}@${hook.root ?? ''}`;

function HookRow({ hook, isChosen }: { readonly hook: PageHook; readonly isChosen: boolean }) {
  const said = Object.entries(hook.said) as [DecisionName, number][];
  const { path, query } = route.value;
  return (
    <li class={`hook-row ${isChosen ? 'chosen' : ''}`}>
      <a
        href={routeTo(path, { ...Object.fromEntries(query), hook: isChosen ? undefined : keyOf(hook) })}
        aria-current={isChosen ? 'true' : undefined}
        data-row
      >
        <span class="name">
          <strong class="anywhere">{hook.name}</strong>
          <span class="small soft">
            {hook.event}
            {hook.matcher && ` · ${hook.matcher}`}
          </span>
        </span>
        <span class="marks">
          <span class={`badge ${toneOf(hook.state)}`}>{hook.state}</span>
          <span class="badge">{hook.builtIn ? 'built in' : hook.scope}</span>
          {hook.root && <span class="badge">{nameOfPath(hook.root)}</span>}
          {hook.policy && <span class="badge accent">policy</span>}
        </span>
        <span class="said">
          {said
            .filter(([name, count]) => count > 0 && name !== 'observe')
            .map(([name, count]) => (
              <span key={name}>
                <DecisionBadge decision={name} /> <span class="small numbers">{formatCount(count)}</span>
              </span>
            ))}
          {hook.failures > 0 && <span class="badge bad">{formatCount(hook.failures)} failed</span>}
        </span>
        <span class="small soft numbers runs">
          {hook.builtIn ? countOf(hook.runs, 'denial') : countOf(hook.runs, 'run')}
          {hook.p50Ms !== null && ` · ${formatDuration(hook.p50Ms)}`}
          {hook.p95Ms !== null && ` / ${formatDuration(hook.p95Ms)}`}
        </span>
        <span class="small soft when">{hook.lastAt !== null ? <Ago at={hook.lastAt} /> : !hook.builtIn && 'never ran'}</span>
      </a>
      {isChosen && <HookDetail hook={hook} />}
    </li>
  );
}

export function HooksPage() {
  const repositories = useRepositories();
  const { query } = route.value;
  const repository = query.get('repository');
  const hooks = useList('/api/hooks', [], repository ? { repository } : {});
  const chosen = query.get('hook');
  return (
    <>
      <header class="page-head">
        <h1>Hooks</h1>
        <div class="end toolbar">
          <RepositoryChoice repositories={repositories} />
        </div>
        <p class="under small">
          In the order in which they run. Decisions of the last 30 days, of 5,000 runs at most; times are the median and the 95th
          percentile.
        </p>
      </header>
      <section class="card" aria-label="Hooks">
        <Shown of={hooks} lines={8}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No hooks yet" text="Look at what the library has:" command="piton hooks add" />
            ) : (
              <ul class="rows">
                {list.map((hook) => (
                  <HookRow key={`${keyOf(hook)} ${hook.event}`} hook={hook} isChosen={chosen === keyOf(hook)} />
                ))}
              </ul>
            )
          }
        </Shown>
      </section>
    </>
  );
}
