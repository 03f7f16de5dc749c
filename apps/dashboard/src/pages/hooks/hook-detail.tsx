import type { PageHook, PageHookRun, PageShadow } from '@piton/contracts/page';
import { useState } from 'preact/hooks';
import { useApi, useList } from '../../api/resource.ts';
import { AgentMark, titleOf } from '../../parts/agent.tsx';
import { Commands } from '../../parts/command.tsx';
import { DecisionBadge } from '../../parts/decision.tsx';
import { eventHref } from '../../parts/event-row.tsx';
import { countOf, formatDuration } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Backtest } from './backtest.tsx';
import { FATES } from './fates.ts';

function Run({ run, fate }: { readonly run: PageHookRun; readonly fate?: keyof typeof FATES }) {
  const output = [run.stdout, run.stderr]
    .map((text) => text?.text ?? '')
    .join('\n')
    .trim();
  return (
    <li class="run">
      <a href={eventHref({ id: run.event, session: run.session })} data-row>
        {run.agent && (
          <>
            <AgentMark agent={run.agent} />
            <span class="hidden-text">{titleOf(run.agent)}</span>
          </>
        )}
        <code class="one-line">{run.what}</code>
        {run.said && <DecisionBadge decision={run.said} />}
        {run.failed && <span class="badge bad">failed: {run.failed}</span>}
        {fate && <span class={`badge ${FATES[fate][0]}`}>{FATES[fate][1]}</span>}
        <span class="soft small end numbers">
          {run.durationMs !== null && `${formatDuration(run.durationMs)} · `}
          <Time at={run.at} />
        </span>
      </a>
      {run.note && <p class="small soft anywhere">{run.note}</p>}
      {output !== '' && <pre class="small">{output}</pre>}
    </li>
  );
}

function Shadow({ shadow }: { readonly shadow: PageShadow }) {
  if (shadow.runs === 0) return <Empty title="It has not run in shadow yet" />;
  return (
    <>
      <p class="shadow-sum">
        In {countOf(shadow.runs, 'run')} it would have stopped or changed <strong>{countOf(shadow.would, 'call')}</strong>. Of those{' '}
        <strong>{shadow.ofThoseSucceeded}</strong> succeeded: look at them before you let it decide. {shadow.ofThoseFailed} failed anyway.
      </p>
      <ul class="runs-list">
        {shadow.calls.map((call) => (
          <Run key={call.event} run={call} fate={call.fate} />
        ))}
      </ul>
      {shadow.cut > 0 && <p class="small soft">{countOf(shadow.cut, 'older call')} more.</p>}
    </>
  );
}

type Choice = 'all' | 'deny' | 'failed' | 'shadow' | 'backtest';

const commandOf = ({ commands }: PageHook): string | undefined => commands.find(({ does }) => does === 'backtest')?.command;

export function HookDetail({ hook }: { readonly hook: PageHook }) {
  const inShadow = hook.mode === 'shadow';
  const [choice, choose] = useState<Choice>(inShadow ? 'shadow' : 'all');
  const place = { hook: hook.id, ...(hook.root && { root: hook.root }) };
  const runs = useList(choice === 'shadow' || choice === 'backtest' ? null : '/api/hooks/runs', [], {
    ...place,
    limit: 30,
    ...(choice === 'deny' && { said: 'deny' }),
    ...(choice === 'failed' && { failed: 1 as const }),
  });
  const shadow = useApi(choice === 'shadow' ? '/api/hooks/shadow' : null, [], place);
  const backtest = useApi(choice === 'backtest' ? '/api/hooks/backtest' : null, [], place);
  return (
    <div class="hook-detail">
      {hook.description && <p>{hook.description}</p>}
      {hook.why && <p class="note warn small">{hook.why}</p>}
      <dl class="small facts-list">
        <dt>from</dt>
        <dd class="anywhere">{hook.source}</dd>
        <dt>mode</dt>
        <dd>{hook.mode}</dd>
        <dt>agents</dt>
        <dd>{hook.agents === null ? 'all' : hook.agents.map(titleOf).join(', ')}</dd>
        {hook.lastFailureAt !== null && (
          <>
            <dt>last failure</dt>
            <dd>
              <Time at={hook.lastFailureAt} />
            </dd>
          </>
        )}
      </dl>
      <Commands commands={hook.commands} />
      <div>
        <Segments<Choice>
          label="Which runs"
          chosen={choice}
          options={[
            ['all', 'All runs'],
            ['deny', 'Denied'],
            ['failed', 'Failed'],
            ...(inShadow ? [['shadow', 'What it would have done'] as const] : []),
            ...(hook.builtIn ? [] : [['backtest', 'Backtest'] as const]),
          ]}
          choose={choose}
        />
      </div>
      {choice === 'shadow' ? (
        <Shown of={shadow}>{(value) => <Shadow shadow={value} />}</Shown>
      ) : choice === 'backtest' ? (
        <Shown of={backtest}>{(value) => <Backtest backtest={value} command={commandOf(hook)} />}</Shown>
      ) : (
        <Shown of={runs}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No such run" />
            ) : (
              <ul class="runs-list">
                {list.map((run, at) => (
                  <Run key={`${run.event} ${at}`} run={run} />
                ))}
              </ul>
            )
          }
        </Shown>
      )}
      {choice !== 'shadow' && choice !== 'backtest' && <More more={runs.more} />}
    </div>
  );
}
