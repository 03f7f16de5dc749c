import type { PageSession } from '@piton/contracts/page';
import { routeTo } from '../router/route.ts';
import { AgentMark, titleOf } from './agent.tsx';
import { countOf, nameOfPath } from './format.ts';
import { Ago } from './time.tsx';
import { Cost, TokenSum } from './tokens.tsx';
import './session-row.css';

export function SessionRow({ session }: { readonly session: PageSession }) {
  return (
    <li class="session-row">
      <a href={routeTo(['session', session.id])} data-row>
        <AgentMark agent={session.agent} />
        <span class="title">
          <span class="name">{session.title ?? <span class="soft">no prompt yet</span>}</span>
          <span class="small soft">
            {titleOf(session.agent)} · {session.root ? nameOfPath(session.root) : session.directory}
            {session.branch && ` · ${session.branch}`}
            {session.model && ` · ${session.model}`}
          </span>
        </span>
        <span class="marks">
          {session.waiting && <span class="badge accent">waits for you</span>}
          {session.phase === 'active' && !session.waiting && <span class="badge accent">at work</span>}
          {session.denials > 0 && <span class="badge bad">{session.denials} denied</span>}
          {session.commits > 0 && <span class="badge good">{countOf(session.commits, 'commit')}</span>}
        </span>
        <span class="sizes small soft numbers">
          {countOf(session.turns, 'turn')} · {countOf(session.tools, 'call')}
          {session.tokens && (
            <>
              {' · '}
              <TokenSum tokens={session.tokens} />
            </>
          )}
          {session.cost && (
            <>
              {' · '}
              <Cost cost={session.cost} />
            </>
          )}
        </span>
        <span class="when small soft">
          <Ago at={session.lastAt} />
        </span>
      </a>
    </li>
  );
}
