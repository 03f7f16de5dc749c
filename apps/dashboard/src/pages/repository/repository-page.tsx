import { useApi } from '../../api/resource.ts';
import { Commands } from '../../parts/command.tsx';
import { countOf } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { Shown } from '../../parts/states.tsx';
import { choose, route } from '../../router/route.ts';
import { Commits } from './commits.tsx';
import { Steps } from './steps.tsx';
import './repository.css';

type Tab = 'steps' | 'commits';

export function RepositoryPage({ id }: { readonly id: string }) {
  const repository = useApi('/api/repositories/:id', [id], {});
  const tab: Tab = route.value.query.get('tab') === 'commits' ? 'commits' : 'steps';
  return (
    <Shown of={repository} lines={8}>
      {(value) => (
        <>
          <header class="page-head">
            <h1>{value.name}</h1>
            {value.branch && <span class="badge">{value.branch}</span>}
            <span class="end">
              <Segments<Tab>
                label="What is shown"
                chosen={tab}
                options={[
                  ['steps', 'Turns and files'],
                  ['commits', 'Commits'],
                ]}
                choose={(name) => choose({ tab: name === 'steps' ? undefined : name, at: undefined, path: undefined })}
              />
            </span>
            <p class="under small anywhere">
              {value.root} · {countOf(value.checkpoints, 'checkpoint')} · {countOf(value.sessions, 'session')}
            </p>
          </header>
          {value.missing && <p class="note warn">This repository is no longer where it was.</p>}
          {tab === 'steps' ? <Steps id={id} /> : <Commits id={id} />}
          <div class="repository-commands">
            <Commands commands={value.commands} />
          </div>
        </>
      )}
    </Shown>
  );
}
