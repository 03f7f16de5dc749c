import type { PageEventRow } from '@piton/contracts/page';
import { routeTo } from '../router/route.ts';
import { AgentMark, titleOf } from './agent.tsx';
import { DecisionBadge } from './decision.tsx';
import { eventTitle } from './event-words.ts';
import { nameOfPath } from './format.ts';
import { Time } from './time.tsx';

export const eventHref = ({ id, session }: { readonly id: string; readonly session: string | null }): string =>
  session ? routeTo(['session', session], { event: id }) : routeTo(['event', id]);

export function EventRow({ row }: { readonly row: PageEventRow }) {
  return (
    <li class={`event-row ${row.decision === 'deny' ? 'denied' : row.failed ? 'failed' : ''}`}>
      <a href={eventHref(row)} data-row>
        <AgentMark agent={row.agent} />
        <span class="hidden-text">{titleOf(row.agent)}</span>
        <span class="what">
          <strong>{row.tool ?? eventTitle(row.name)}</strong>
          {row.what.text && row.what.text !== row.tool && <code class="one-line">{row.what.text}</code>}
        </span>
        <span class="end small">
          {row.decision && row.decision !== 'observe' && <DecisionBadge decision={row.decision} />}
          {row.failed && <span class="badge bad">failed</span>}
          <span class="soft">
            <Time at={row.at} />
          </span>
        </span>
        {(row.reason || row.by.length > 0) && row.decision !== 'observe' && (
          <span class="why small">
            {row.reason} <span class="soft">{row.by.join(', ')}</span>
          </span>
        )}
        <span class="under small soft">
          {[row.tool && eventTitle(row.name), row.subagent && `subagent ${row.subagent}`, row.root && nameOfPath(row.root)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </a>
    </li>
  );
}
