import type { PageNow } from '@piton/contracts/page';
import { AgentName } from '../../parts/agent.tsx';
import { eventTitle } from '../../parts/event-words.ts';
import { countOf, formatCost, nameOfPath } from '../../parts/format.ts';
import { Empty } from '../../parts/states.tsx';
import { Since } from '../../parts/time.tsx';
import { routeTo } from '../../router/route.ts';

function Running({ session, call }: PageNow['running'][number]) {
  return (
    <li>
      <a class="running" href={routeTo(['session', session.id])} data-row>
        <span class="head">
          <span class="dot accent pulse" />
          <AgentName agent={session.agent} />
          <span class="small soft one-line">
            {session.root ? nameOfPath(session.root) : session.directory}
            {session.branch && ` · ${session.branch}`}
          </span>
        </span>
        <span class="anywhere title">{session.title ?? session.shortId}</span>
        {call ? (
          <span class="call small">
            <strong>{call.tool ?? eventTitle(call.name)}</strong> <code class="one-line">{call.what.text}</code>
            <span class="soft since">
              <Since at={call.at} />
            </span>
          </span>
        ) : (
          <span class="small soft">thinking</span>
        )}
        <span class="small soft numbers">
          {countOf(session.turns, 'turn')} · {countOf(session.tools, 'tool call')}
          {session.denials > 0 && ` · ${countOf(session.denials, 'denial')}`}
          {session.cost && ` · ${formatCost(session.cost)} (list price)`}
        </span>
      </a>
    </li>
  );
}

export function RunningList({ running }: { readonly running: PageNow['running'] }) {
  return (
    <section class="card" aria-labelledby="running-title">
      <header>
        <h2 id="running-title">At work</h2>
        <span class="soft small numbers">{running.length > 0 && running.length}</span>
      </header>
      {running.length === 0 ? (
        <Empty title="No agent is at work" />
      ) : (
        <ul class="rows">
          {running.map((each) => (
            <Running key={each.session.id} {...each} />
          ))}
        </ul>
      )}
    </section>
  );
}
