import type { PageFrame } from '@piton/contracts/page';
import { useCallback } from 'preact/hooks';
import { pathOf } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useApi, useList } from '../../api/resource.ts';
import { AgentName } from '../../parts/agent.tsx';
import { DownloadButton } from '../../parts/download.tsx';
import { nameOfPath } from '../../parts/format.ts';
import { Bones, Empty, More, Problem, Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { routeTo } from '../../router/route.ts';
import { SessionFacts, SessionFigures } from './session-facts.tsx';
import { TurnSection } from './turn-section.tsx';
import './session.css';
import './timeline.css';

const PHASES = { active: ['accent', 'at work'], idle: ['', 'idle'], ended: ['', 'ended'] } as const;

export function SessionPage({ id }: { readonly id: string }) {
  const detail = useApi('/api/sessions/:id', [id], {});
  const turns = useList('/api/sessions/:id/turns', [id], { limit: 100 });
  const concerns = useCallback(
    ({ changes }: PageFrame) =>
      changes.some((change) =>
        change.kind === 'event'
          ? change.event.session === id
          : change.kind === 'session'
            ? change.session.id === id
            : change.kind !== 'gone' && change.session === id,
      ),
    [id],
  );
  const reload = useCallback(() => {
    detail.reload();
    turns.reload();
  }, [detail.reload, turns.reload]);
  useRefresh(reload, concerns, 2_000);
  const { value } = detail;
  if (!value) return detail.problem ? <Problem problem={detail.problem} retry={detail.reload} /> : <Bones lines={9} />;
  const { session } = value;
  const [tone, phase] = PHASES[session.phase];
  const lastNumber = turns.more ? undefined : turns.value?.at(-1)?.number;
  return (
    <>
      <header class="page-head session-head">
        <h1>{session.title ?? `Session ${session.shortId}`}</h1>
        <p class="under facts">
          <AgentName agent={session.agent} />
          {session.model && <span class="badge">{session.model}</span>}
          <span class={`badge ${session.waiting ? 'accent' : tone}`}>{session.waiting ? 'waits for you' : phase}</span>
          {session.root && (
            <span>
              {session.repository ? (
                <a href={routeTo(['repositories', session.repository])}>{nameOfPath(session.root)}</a>
              ) : (
                nameOfPath(session.root)
              )}
              {session.branch && ` · ${session.branch}`}
            </span>
          )}
          <span>
            <Time at={session.startedAt} /> – <Time at={session.endedAt ?? session.lastAt} />
          </span>
          {session.parent && <a href={routeTo(['session', session.parent])}>the session that started it</a>}
          <DownloadButton
            path={pathOf('/api/sessions/:id/export', [id], { format: 'html' })}
            name={`piton-${session.shortId}.html`}
            label="Save report"
          />
        </p>
      </header>
      <div class="session-grid">
        <SessionFigures detail={value} />
        <SessionFacts detail={value} turns={turns.value ?? []} />
        <div class="turns">
          {value.notes.length > 0 && (
            <ul class="note small notes">
              {value.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <Shown of={turns} lines={9}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No prompt yet" text="What the agent does before the first prompt is in the events of the session." />
              ) : (
                list.map((turn) => (
                  <TurnSection key={turn.id} session={session} turn={turn} isLast={turn.number === lastNumber} revision={session.lastAt} />
                ))
              )
            }
          </Shown>
          <More more={turns.more} />
        </div>
      </div>
    </>
  );
}
