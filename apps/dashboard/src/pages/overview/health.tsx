import { useApi } from '../../api/resource.ts';
import { CopyButton } from '../../parts/command.tsx';
import { Shown } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

export function Health() {
  const health = useApi('/api/health', [], {});
  return (
    <section class="card health" aria-labelledby="health-title">
      <header>
        <h2 id="health-title">Health</h2>
        {health.value && (
          <span class="small soft">
            checked <Ago at={health.value.checkedAt} />
          </span>
        )}
        <span class="end">
          <button type="button" class="button" onClick={health.reload}>
            Check again
          </button>
        </span>
      </header>
      <div class="body">
        <Shown of={health} lines={3}>
          {({ problems, ok }) =>
            problems.length === 0 ? (
              <p>
                <span class={`dot ${ok ? 'good' : 'warn'}`} /> Everything works.
              </p>
            ) : (
              <ul class="problems">
                {problems.map(({ problem, fix, kind }) => (
                  <li key={problem}>
                    <span class={`dot ${kind === 'problem' ? 'bad' : 'warn'}`} aria-hidden="true" />
                    <div>
                      <p class="anywhere">
                        <span class="hidden-text">{kind}: </span>
                        {problem}
                      </p>
                      {fix && (
                        <p class="small soft fix">
                          <code>{fix}</code> <CopyButton text={fix} />
                        </p>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </div>
    </section>
  );
}
