import type { PageSession, PageTurn } from '@piton/contracts/page';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useList } from '../../api/resource.ts';
import { countOf, formatDuration } from '../../parts/format.ts';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { Since, Time } from '../../parts/time.tsx';
import { Cost, TokenSum } from '../../parts/tokens.tsx';
import { Item } from './item.tsx';
import { askedTurn } from './open-turns.ts';

/** A short session is read like a page; of a long one the last turn. */
const FEW_TURNS = 5;

interface TurnProps {
  readonly session: PageSession;
  readonly turn: PageTurn;
  readonly isLast: boolean;
  /** Changes when something new was recorded in the session. */
  readonly revision: number;
}

function Items({ session, turn, revision }: TurnProps) {
  const items = useList('/api/sessions/:id/items', [session.id], { turn: turn.number, limit: 200 });
  const seen = useRef(revision);
  useEffect(() => {
    if (seen.current === revision) return;
    seen.current = revision;
    if (turn.endedAt === null || revision - turn.endedAt < 60_000) items.reload();
  }, [revision, turn.endedAt, items.reload]);
  return (
    <Shown of={items} lines={5}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="Nothing is kept of this turn" />
        ) : (
          <>
            <ol class="items">
              {list.map((item) => (
                <Item key={item.id} item={item} session={session} />
              ))}
            </ol>
            <More more={items.more} />
          </>
        )
      }
    </Shown>
  );
}

const ENDED: Readonly<Record<string, string>> = { failure: 'failed', crash: 'crashed', interrupted: 'interrupted' };

export function TurnSection(props: TurnProps) {
  const { session, turn, isLast } = props;
  const [isOpen, open] = useState(isLast || session.turns <= FEW_TURNS);
  const section = useRef<HTMLElement>(null);
  const asked = askedTurn.value;
  useEffect(() => {
    if (asked?.number !== turn.number) return;
    open(true);
    section.current?.scrollIntoView({ block: 'start' });
    section.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [asked, turn.number]);
  const ended = turn.closed === null ? undefined : ENDED[turn.closed];
  return (
    <section class={`turn ${isOpen ? 'open' : ''}`} ref={section} aria-label={`Turn ${turn.number}`}>
      <button type="button" class="turn-head" aria-expanded={isOpen} onClick={() => open(!isOpen)} data-row>
        <span class="turn-number numbers">{turn.number}</span>
        <span class="turn-prompt one-line">
          {isOpen ? <span class="soft">Turn {turn.number}</span> : (turn.prompt?.text ?? 'No prompt')}
        </span>
        <span class="turn-facts small soft">
          {ended && <span class="badge bad">{ended}</span>}
          {turn.denials > 0 && <span class="badge bad">{turn.denials} denied</span>}
          {turn.commits > 0 && <span class="badge good">{countOf(turn.commits, 'commit')}</span>}
          <span class="fold-away">{countOf(turn.tools, 'call')}</span>
          <span class="fold-away">
            <TokenSum tokens={turn.tokens} />
          </span>
          <Cost cost={turn.cost} />
          {turn.endedAt === null ? (
            <span class="badge accent">
              <Since at={turn.startedAt} />
            </span>
          ) : (
            <span
              class="numbers"
              title={`agent ${formatDuration(turn.time.agentMs)}, waiting ${formatDuration(turn.time.waitingMs)}, hooks ${formatDuration(turn.time.hooksMs)}`}
            >
              {formatDuration(turn.endedAt - turn.startedAt)}
            </span>
          )}
          <Time at={turn.startedAt} />
        </span>
      </button>
      {isOpen && <Items {...props} />}
    </section>
  );
}
