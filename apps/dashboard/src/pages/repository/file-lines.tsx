import type { PageLines } from '@piton/contracts/page';
import { useApi } from '../../api/resource.ts';
import { AgentName, colourOf } from '../../parts/agent.tsx';
import { formatCount } from '../../parts/format.ts';
import { ScrollArea } from '../../parts/scroll-area.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { routeTo } from '../../router/route.ts';

const BY: Readonly<Record<PageLines['by'], string>> = { agent: 'agent', human: 'you', shared: 'agent or you' };

function Run({ run }: { readonly run: PageLines }) {
  return (
    <div class={`run-of-lines by-line-${run.by}`} style={run.agent ? { '--mark': colourOf(run.agent) } : {}}>
      <div class="author small">
        {run.agent ? <AgentName agent={run.agent} /> : <span class="soft">{BY[run.by]}</span>}
        {run.prompt && (
          <span class="soft prompt-line" title={run.prompt}>
            {run.session ? <a href={routeTo(['session', run.session])}>{run.prompt}</a> : run.prompt}
          </span>
        )}
      </div>
      <div class="lines">
        {run.lines.map((line, at) => (
          <div class="line" key={at}>
            <span class="line-number" aria-hidden="true">
              {run.from + at}
            </span>
            <span class="line-text">{line === '' ? '\u200b' : line}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

export function FileLines({ id, path, at }: { readonly id: string; readonly path: string; readonly at: string | undefined }) {
  const file = useApi('/api/repositories/:id/file', [id], { path, ...(at && { at }) });
  return (
    <div class="card file-card">
      <header>
        <h2 class="anywhere">{path}</h2>
      </header>
      <Shown of={file} lines={10}>
        {(value) =>
          value.why !== null ? (
            <Empty title="Its lines cannot be shown" text={value.why} />
          ) : (
            <ScrollArea name="file-lines" label={`Lines of ${path}`}>
              {value.runs.map((run) => (
                <Run key={run.from} run={run} />
              ))}
              {value.cut > 0 && <p class="soft small">{formatCount(value.cut)} more lines.</p>}
            </ScrollArea>
          )
        }
      </Shown>
    </div>
  );
}
