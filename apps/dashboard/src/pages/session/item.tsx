import type { PageItem, PageSession } from '@piton/contracts/page';
import { useEffect, useRef } from 'preact/hooks';
import { Commands } from '../../parts/command.tsx';
import { DecisionBadge } from '../../parts/decision.tsx';
import { eventTitle } from '../../parts/event-words.ts';
import { formatDuration } from '../../parts/format.ts';
import { Time } from '../../parts/time.tsx';
import { route } from '../../router/route.ts';
import { AnswerText } from '../../text/answer.tsx';
import { LimitedText } from '../../text/page-text.tsx';
import { CheckpointItem } from './checkpoint-item.tsx';
import { DecisionDetail } from './decision-detail.tsx';
import { Todos } from './todos.tsx';
import { ToolItem } from './tool-item.tsx';

function Body({ item, session }: { readonly item: PageItem; readonly session: PageSession }) {
  switch (item.kind) {
    case 'prompt':
      return (
        <div class="prompt-text">
          <LimitedText value={item.text}>{(text) => <p>{text}</p>}</LimitedText>
        </div>
      );
    case 'answer':
      return <LimitedText value={item.text}>{(text) => <AnswerText text={text} />}</LimitedText>;
    case 'tool':
      return <ToolItem item={item} root={session.root} />;
    case 'todos':
      return <Todos items={item.items} />;
    case 'waiting':
      return (
        <p class="waited">
          <span class="badge accent">{item.endedAt === null ? 'waits for you' : `waited ${formatDuration(item.endedAt - item.at)}`}</span>{' '}
          <code>{item.what.text}</code>
        </p>
      );
    case 'checkpoint':
      return <CheckpointItem checkpoint={item.checkpoint} commands={item.commands} session={session} />;
    case 'event':
      // What an agent said at the end of a turn, where its transcript is not there.
      if (ENDS.has(item.name) && item.text) return <LimitedText value={item.text}>{(text) => <AnswerText text={text} />}</LimitedText>;
      return (
        <p class="small soft">
          {eventTitle(item.name)}
          {item.text && (
            <>
              {': '}
              <LimitedText value={item.text}>{(text) => <span class="anywhere">{text}</span>}</LimitedText>
            </>
          )}
        </p>
      );
  }
}

const ENDS: ReadonlySet<string> = new Set(['stop', 'subagent_stop']);

/** Of a tool call its own part shows the decision; what was decided about a prompt or a stop is shown below it. */
const isQuiet = ({ kind, decision }: PageItem): boolean => kind === 'tool' || decision === null || decision.trace.length === 0;

export function Item({ item, session }: { readonly item: PageItem; readonly session: PageSession }) {
  const place = useRef<HTMLLIElement>(null);
  const isAsked = item.event !== null && route.value.query.get('event') === item.event;
  useEffect(() => {
    if (!isAsked) return;
    place.current?.scrollIntoView({ block: 'center' });
    place.current?.querySelector('summary')?.focus({ preventScroll: true });
  }, [isAsked]);
  return (
    <li ref={place} class={`item kind-${item.kind} ${item.subagent ? 'below' : ''} ${isAsked ? 'asked-for' : ''}`}>
      <span class="item-time small soft">
        <Time at={item.at} />
        {item.subagent && <span class="one-line"> subagent {item.subagent}</span>}
      </span>
      <div class="item-body">
        <Body item={item} session={session} />
        {!isQuiet(item) && item.decision && (
          <details class="decided small">
            <summary data-row>
              <DecisionBadge decision={item.decision.decision} /> <span class="soft">hooks</span>
            </summary>
            <DecisionDetail decision={item.decision} />
          </details>
        )}
        {item.kind !== 'tool' && item.kind !== 'checkpoint' && <Commands commands={item.commands} />}
      </div>
    </li>
  );
}
