import type { PageSession } from '@piton/contracts/page';
import { useRefresh } from '../../api/refresh.ts';
import { useList } from '../../api/resource.ts';
import { AgentChoice, RepositoryChoice, useRepositories } from '../../parts/filters.tsx';
import { Segments } from '../../parts/segments.tsx';
import { SessionRow } from '../../parts/session-row.tsx';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { choose, route } from '../../router/route.ts';

const PHASES = ['all', 'active', 'idle', 'ended'] as const;
type Choice = (typeof PHASES)[number];
const isPhase = (text: string | null): text is PageSession['phase'] => text === 'active' || text === 'idle' || text === 'ended';
const TEXTS: Readonly<Record<Choice, string>> = { all: 'All', active: 'At work', idle: 'Idle', ended: 'Ended' };

const concerns = () => true;

export function SessionsPage() {
  const repositories = useRepositories();
  const { query } = route.value;
  const [agent, repository, phase] = ['agent', 'repository', 'phase'].map((name) => query.get(name));
  const denied = query.get('denied') === '1';
  const sessions = useList('/api/sessions', [], {
    limit: 50,
    ...(agent && { agent }),
    ...(repository && { repository }),
    ...(isPhase(phase ?? null) && { phase: phase as PageSession['phase'] }),
    ...(denied && { denied: 1 as const }),
  });
  useRefresh(sessions.reload, concerns, 5_000);
  return (
    <>
      <header class="page-head">
        <h1>Sessions</h1>
        <div class="end toolbar">
          <AgentChoice />
          <RepositoryChoice repositories={repositories} />
          <Segments
            label="Phase"
            chosen={isPhase(phase ?? null) ? (phase as Choice) : 'all'}
            options={PHASES.map((name) => [name, TEXTS[name]] as const)}
            choose={(name) => choose({ phase: name === 'all' ? undefined : name })}
          />
          <button type="button" class="button" aria-pressed={denied} onClick={() => choose({ denied: denied ? undefined : '1' })}>
            Denied
          </button>
        </div>
      </header>
      <section class="card" aria-label="Sessions">
        <Shown of={sessions} lines={10}>
          {(list) =>
            list.length === 0 ? (
              <Empty
                title="No session"
                text={
                  agent || repository || phase || denied
                    ? 'None fits what you chose.'
                    : 'Start an agent in a repository where piton init ran.'
                }
                {...(!(agent || repository || phase || denied) && { command: 'piton init' })}
              />
            ) : (
              <ul class="rows">
                {list.map((session) => (
                  <SessionRow key={session.id} session={session} />
                ))}
              </ul>
            )
          }
        </Shown>
        <More more={sessions.more} />
      </section>
    </>
  );
}
