import type { Waiting } from '@piton/contracts/page';
import { AgentName } from '../../parts/agent.tsx';
import { nameOfPath } from '../../parts/format.ts';
import { pathIn } from '../../parts/paths.ts';
import { Bones } from '../../parts/states.tsx';
import { Since } from '../../parts/time.tsx';
import { routeTo } from '../../router/route.ts';

function WaitingCard({ waiting }: { readonly waiting: Waiting }) {
  return (
    <li class="card waiting">
      <a href={routeTo(['session', waiting.session], { event: waiting.event })} data-row>
        <span class="head">
          <AgentName agent={waiting.agent} />
          {waiting.subagent && <span class="soft small">subagent {waiting.subagent}</span>}
          <span class="badge accent">{waiting.for === 'permission' ? 'needs a permission' : 'needs an answer'}</span>
          <span class="since">
            <Since at={waiting.since} />
          </span>
        </span>
        {waiting.what !== null && (
          <span class="asked">
            {waiting.tool && <strong>{waiting.tool}</strong>}
            <code>{waiting.what}</code>
          </span>
        )}
        {waiting.message && <span class="small anywhere">{waiting.message}</span>}
        <span class="small soft anywhere" title={waiting.directory}>
          {waiting.root ? nameOfPath(waiting.root) : waiting.directory}
          {waiting.root && waiting.directory !== waiting.root && ` · ${pathIn(waiting.root, waiting.directory)}`}
        </span>
      </a>
    </li>
  );
}

/** The question that one opens the page for comes first, and keeps its place when nobody waits. */
export function WaitingList({ waiting }: { readonly waiting: readonly Waiting[] | undefined }) {
  return (
    <section aria-labelledby="waiting-title" class="waiting-list">
      <h2 id="waiting-title" class="hidden-text">
        Who waits for you
      </h2>
      <div aria-live="polite">
        {waiting === undefined ? (
          <div class="card">
            <Bones lines={1} />
          </div>
        ) : waiting.length === 0 ? (
          <p class="card calm">
            <span class="dot good" /> Nobody waits for you.
          </p>
        ) : (
          <ul>
            {waiting.map((each) => (
              <WaitingCard key={each.event} waiting={each} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
