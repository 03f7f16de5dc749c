import { useList } from '../../api/resource.ts';
import { countOf } from '../../parts/format.ts';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { routeTo } from '../../router/route.ts';
import './repository.css';

export function RepositoriesPage() {
  const repositories = useList('/api/repositories', [], { limit: 100 });
  return (
    <>
      <header class="page-head">
        <h1>Repositories</h1>
      </header>
      <Shown of={repositories} lines={6}>
        {(list) =>
          list.length === 0 ? (
            <section class="card">
              <Empty title="No repository yet" text="In a repository, type:" command="piton init" />
            </section>
          ) : (
            <ul class="repository-cards">
              {list.map((repository) => (
                <li class="card" key={repository.id}>
                  <a href={routeTo(['repositories', repository.id])} data-row>
                    <strong class="anywhere">{repository.name}</strong>
                    <span class="small soft anywhere">{repository.root}</span>
                    <span class="marks">
                      <span class="badge">{countOf(repository.sessions, 'session')}</span>
                      <span class={`badge ${repository.watched ? 'good' : ''}`}>
                        {repository.watched ? 'checkpoints' : 'no checkpoints'}
                      </span>
                      {repository.missing && <span class="badge warn">no longer there</span>}
                    </span>
                    {repository.lastAt !== null && (
                      <span class="small soft">
                        <Ago at={repository.lastAt} />
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <More more={repositories.more} />
    </>
  );
}
