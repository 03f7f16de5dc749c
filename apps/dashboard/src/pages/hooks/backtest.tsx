import type { PageBacktest, PageBacktestCall } from '@piton/contracts/page';
import { AgentMark, titleOf } from '../../parts/agent.tsx';
import { DecisionBadge } from '../../parts/decision.tsx';
import { eventHref } from '../../parts/event-row.tsx';
import { countOf, formatDuration } from '../../parts/format.ts';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { FATES } from './fates.ts';

function Call({ call }: { readonly call: PageBacktestCall }) {
  return (
    <li class="run">
      <a href={eventHref({ id: call.event, session: call.session })} data-row>
        <AgentMark agent={call.agent} />
        <span class="hidden-text">{titleOf(call.agent)}</span>
        <code class="one-line">{call.what}</code>
        {call.said !== 'observe' && <DecisionBadge decision={call.said} />}
        {call.failure !== null && <span class="badge bad">failed</span>}
        {call.fate && <span class={`badge ${FATES[call.fate][0]}`}>{FATES[call.fate][1]}</span>}
        <span class="soft small end numbers">
          <Time at={call.at} />
        </span>
      </a>
      {(call.reason ?? call.failure) !== null && <p class="small soft anywhere">{call.reason ?? call.failure}</p>}
    </li>
  );
}

/** What the hook would have decided on recorded calls, as the command found it: the page itself runs nothing. */
export function Backtest(props: { readonly backtest: PageBacktest | null; readonly command: string | undefined }) {
  const { backtest, command } = props;
  if (backtest === null)
    return (
      <Empty
        title="No backtest yet"
        text="It tries the hook on the calls that were recorded, in a sandbox:"
        {...(command && { command })}
      />
    );
  const { denied, asked, modified, failed, calls } = backtest;
  const harmless = calls.filter(({ fate }) => fate === 'succeeded').length;
  return (
    <>
      <p class="shadow-sum">
        Of {countOf(backtest.looked, 'recorded call')} since <Time at={backtest.since} /> it would have denied <strong>{denied}</strong>,
        asked about <strong>{asked}</strong> and changed <strong>{modified}</strong>. Of those below <strong>{harmless}</strong> succeeded.
        {failed > 0 && ` It failed on ${countOf(failed, 'call')}.`}
      </p>
      <p class="small soft">
        Run <Time at={backtest.at} />, on {countOf(backtest.ran, 'call')} that concern it
        {backtest.p50Ms !== null && backtest.p95Ms !== null && ` (${formatDuration(backtest.p50Ms)} / ${formatDuration(backtest.p95Ms)})`}
        {backtest.expired > 0 && `. ${countOf(backtest.expired, 'call')} had expired`}
        {backtest.unreadable > 0 && `. ${countOf(backtest.unreadable, 'call')} could not be read`}.
      </p>
      <ul class="runs-list">
        {calls.map((call) => (
          <Call key={call.event} call={call} />
        ))}
      </ul>
      {backtest.cut > 0 && <p class="small soft">{countOf(backtest.cut, 'older call')} more.</p>}
    </>
  );
}
