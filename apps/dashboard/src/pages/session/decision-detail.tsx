import type { PageDecision, PageTrace } from '@piton/contracts/page';
import { DecisionBadge } from '../../parts/decision.tsx';
import { countOf, formatDuration } from '../../parts/format.ts';
import { LimitedText } from '../../text/page-text.tsx';

function Trace({ trace }: { readonly trace: PageTrace }) {
  return (
    <li>
      <p class="trace-line">
        <strong class="anywhere">{trace.hook}</strong>
        <span class="badge">{trace.scope}</span>
        {trace.said && <DecisionBadge decision={trace.said} />}
        {trace.did === 'skipped' && <span class="badge">skipped: {trace.why}</span>}
        {trace.failed && <span class="badge bad">failed: {trace.failed}</span>}
        {trace.observed && <span class="badge">after the answer</span>}
        {trace.exitCode !== null && trace.exitCode !== 0 && <span class="soft">exit code {trace.exitCode}</span>}
        {trace.durationMs !== null && <span class="soft numbers">{formatDuration(trace.durationMs)}</span>}
      </p>
      {trace.note && <p class="soft anywhere">{trace.note}</p>}
      {(
        [
          ['stdout', trace.stdout],
          ['stderr', trace.stderr],
        ] as const
      ).map(
        ([name, text]) =>
          text &&
          text.text !== '' && (
            <div key={name}>
              <span class="soft">{name}</span>
              <LimitedText value={text}>{(shown) => <pre>{shown}</pre>}</LimitedText>
            </div>
          ),
      )}
    </li>
  );
}

/** What was decided, by whom, and what each hook said on the way. */
export function DecisionDetail({ decision }: { readonly decision: PageDecision }) {
  return (
    <section class="decision small" aria-label="Decision">
      <p>
        <DecisionBadge decision={decision.decision} /> {decision.by.length > 0 && <span class="soft">by {decision.by.join(', ')}</span>}
      </p>
      {decision.reason && <p class="anywhere reason">{decision.reason}</p>}
      {decision.trace.length > 0 && (
        <ol class="trace">
          {decision.trace.map((trace, at) => (
            <Trace key={at} trace={trace} />
          ))}
        </ol>
      )}
      {decision.unmatched > 0 && <p class="soft">{countOf(decision.unmatched, 'hook')} did not match.</p>}
    </section>
  );
}
