import type { PageSessionDetail, PageTime, PageTurn } from '@piton/contracts/page';
import { AgentName } from '../../parts/agent.tsx';
import { Commands } from '../../parts/command.tsx';
import { describeCost, formatCost, formatCount, formatDuration, sumTokens } from '../../parts/format.ts';
import { TokenTable } from '../../parts/tokens.tsx';
import { routeTo } from '../../router/route.ts';
import { openTurn } from './open-turns.ts';
import { Todos } from './todos.tsx';

const TIMES: readonly (readonly [keyof PageTime, string, string])[] = [
  ['agentMs', 'agent at work', 'by-agent'],
  ['waitingMs', 'waiting for you', 'by-human'],
  ['hooksMs', 'hooks', 'by-either'],
];

function TimeBar({ time }: { readonly time: PageTime }) {
  const total = Math.max(1, time.agentMs + time.waitingMs + time.hooksMs);
  return (
    <>
      <div class="share-bar" aria-hidden="true">
        {TIMES.map(([name, , tone]) => time[name] > 0 && <i key={name} class={tone} style={{ width: `${(time[name] / total) * 100}%` }} />)}
      </div>
      <dl class="pairs small">
        {TIMES.map(([name, text, tone]) => (
          <div key={name}>
            <dt>
              <i class={`dot ${tone}`} aria-hidden="true" /> {text}
            </dt>
            <dd class="numbers">{formatDuration(time[name])}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function SessionFigures({ detail }: { readonly detail: PageSessionDetail }) {
  const { session } = detail;
  const figures = [
    ['turns', formatCount(session.turns)],
    ['tool calls', formatCount(session.tools)],
    ['denied', formatCount(session.denials)],
    ['commits', formatCount(session.commits)],
    ['tokens', session.tokens ? formatCount(sumTokens(session.tokens)) : '–'],
    ['list price', formatCost(session.cost)],
  ] as const;
  return (
    <dl class="figures" aria-label="Figures">
      {figures.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Outline({ turns }: { readonly turns: readonly PageTurn[] }) {
  if (turns.length < 2) return null;
  return (
    <nav class="card outline" aria-label="Turns">
      <ol>
        {turns.map((turn) => (
          <li key={turn.id}>
            <button type="button" onClick={() => openTurn(turn.number)}>
              <span class="soft numbers">{turn.number}</span>
              <span class="one-line">{turn.prompt?.text ?? 'no prompt'}</span>
              {turn.denials > 0 && <span class="dot bad" title="something was denied" />}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function SessionFacts({ detail, turns }: { readonly detail: PageSessionDetail; readonly turns: readonly PageTurn[] }) {
  const { session } = detail;
  return (
    <aside class="session-facts" aria-label="About this session">
      <Outline turns={turns} />
      <section class="card">
        <header>
          <h2>Time</h2>
        </header>
        <div class="body">
          <TimeBar time={detail.time} />
        </div>
      </section>
      {detail.todos.length > 0 && (
        <section class="card">
          <header>
            <h2>To-dos</h2>
          </header>
          <div class="body">
            <Todos items={detail.todos} />
          </div>
        </section>
      )}
      {session.tokens && (
        <section class="card">
          <header>
            <h2>Tokens and cost</h2>
          </header>
          <div class="body">
            <TokenTable tokens={session.tokens} />
            {detail.usage.map(({ model, requests }) => (
              <p class="small soft" key={model}>
                {model ?? 'no model named'}: {formatCount(requests)} requests
              </p>
            ))}
            {session.cost && (
              <p class="small soft">
                {formatCost(session.cost)}. {describeCost(session.cost)}
              </p>
            )}
          </div>
        </section>
      )}
      {detail.children.length > 0 && (
        <section class="card">
          <header>
            <h2>Started from here</h2>
          </header>
          <ul class="body plain-list">
            {detail.children.map((child) => (
              <li key={child.id}>
                <a href={routeTo(['session', child.id])}>
                  <AgentName agent={child.agent} /> {child.title ?? child.shortId}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {detail.story.length > 1 && (
        <section class="card">
          <header>
            <h2>The same work</h2>
          </header>
          <ol class="body plain-list">
            {detail.story.map(({ id, agent }) => (
              <li key={id}>
                {id === session.id ? (
                  <strong>this session</strong>
                ) : (
                  <a href={routeTo(['session', id])}>
                    <AgentName agent={agent} />
                  </a>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      {detail.files.length > 0 && (
        <section class="card">
          <header>
            <h2>Files</h2>
            <span class="small soft numbers">{detail.files.length}</span>
          </header>
          <ul class="body file-list">
            {detail.files.map((file) => (
              <li key={file}>{file}</li>
            ))}
          </ul>
        </section>
      )}
      {detail.commands.length > 0 && (
        <section class="card">
          <header>
            <h2>Type this</h2>
          </header>
          <div class="body">
            <Commands commands={detail.commands} />
          </div>
        </section>
      )}
    </aside>
  );
}
