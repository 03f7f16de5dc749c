import type { PageLane, PageLanes } from '@piton/contracts/page';
import { useMemo } from 'preact/hooks';
import { pathOf } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { usePath } from '../../api/resource.ts';
import { AgentMark, titleOf } from '../../parts/agent.tsx';
import { countOf, formatDuration, nameOfPath } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { clock } from '../../parts/time.tsx';
import { choose, route, routeTo } from '../../router/route.ts';

const WINDOWS = { '5m': 5, '1h': 60, '6h': 360, '24h': 1_440, '7d': 10_080 } as const;
export type Window = keyof typeof WINDOWS;
const TICKS_MIN = [1, 5, 10, 15, 30, 60, 120, 240, 720, 1_440] as const;
const MAX_TICKS = 8;

/** As far as it reaches, in per cent of the window. */
interface Scale {
  readonly from: number;
  readonly to: number;
}
const percent = ({ from, to }: Scale, at: number): number => Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100));

function ticksOf(scale: Scale): readonly number[] {
  const minutes = (scale.to - scale.from) / 60_000;
  const step = (TICKS_MIN.find((each) => minutes / each <= MAX_TICKS) ?? 1_440) * 60_000;
  const offset = new Date(scale.from).getTimezoneOffset() * 60_000;
  const first = Math.ceil((scale.from - offset) / step) * step + offset;
  return Array.from({ length: Math.floor((scale.to - first) / step) + 1 }, (_, at) => first + at * step);
}

const tickFormat = (isLong: boolean) =>
  new Intl.DateTimeFormat(undefined, isLong ? { weekday: 'short', day: 'numeric' } : { hour: '2-digit', minute: '2-digit' });

function Track({ lane, scale }: { readonly lane: PageLane; readonly scale: Scale }) {
  return (
    <div class="track" aria-hidden="true">
      {lane.spans.map((span) => {
        const [left, right] = [percent(scale, span.from), percent(scale, span.to ?? scale.to)];
        if (right <= 0 || left >= 100) return null;
        return (
          <i
            key={`${span.kind} ${span.event}`}
            class={`span ${span.kind} ${span.state}`}
            style={{ left: `${left}%`, width: `${right - left}%` }}
            title={`${span.label} (${span.state}, ${formatDuration((span.to ?? scale.to) - span.from)})`}
          />
        );
      })}
      {lane.marks.map((mark) => (
        <i
          key={`${mark.kind} ${mark.event}`}
          class={`mark ${mark.kind}`}
          style={{ left: `${percent(scale, mark.at)}%` }}
          title={mark.label}
        />
      ))}
    </div>
  );
}

function Lane({ lane, scale, depth }: { readonly lane: PageLane; readonly scale: Scale; readonly depth: number }) {
  const { session } = lane;
  const title = lane.subagent ? `subagent ${lane.subagent}` : (session.title ?? session.shortId);
  return (
    <>
      <li class={`lane depth-${Math.min(depth, 3)}`}>
        <a href={routeTo(['session', session.id])} data-row title={title}>
          {depth === 0 ? <AgentMark agent={session.agent} /> : <span class="branch" aria-hidden="true" />}
          <span class="label">
            <span class="one-line">{title}</span>
            {depth === 0 && (
              <span class="one-line small soft">
                {titleOf(session.agent)}
                {session.root && ` · ${nameOfPath(session.root)}`}
                <span class="hidden-text">
                  , {countOf(session.turns, 'turn')}, {countOf(session.tools, 'tool call')}, {countOf(session.denials, 'denial')}
                </span>
              </span>
            )}
          </span>
        </a>
        <Track lane={lane} scale={scale} />
      </li>
      {lane.lanes.map((each) => (
        <Lane key={each.subagent ?? each.session.id} lane={each} scale={scale} depth={depth + 1} />
      ))}
    </>
  );
}

function Chart({ lanes }: { readonly lanes: PageLanes }) {
  const scale = { from: lanes.from, to: Math.max(lanes.to, lanes.from + 1) };
  const format = useMemo(() => tickFormat(scale.to - scale.from > 2 * 86_400_000), [scale.to - scale.from > 2 * 86_400_000]);
  return (
    <div class="lanes">
      <div class="ticks small soft numbers" aria-hidden="true">
        {ticksOf(scale).map((at) => (
          <span key={at} style={{ left: `${percent(scale, at)}%` }}>
            {format.format(at)}
          </span>
        ))}
      </div>
      <ul>
        {lanes.lanes.map((lane) => (
          <Lane key={lane.session.id} lane={lane} scale={scale} depth={0} />
        ))}
      </ul>
      {lanes.cut && <p class="small soft">Only the latest sessions are drawn.</p>}
    </div>
  );
}

function Legend() {
  const kinds = [
    ['span turn', 'turn'],
    ['span tool', 'tool call'],
    ['span waiting', 'waits for you'],
    ['mark denial', 'denied'],
    ['mark failure', 'failed'],
    ['mark commit', 'commit'],
  ] as const;
  return (
    <ul class="legend small soft" aria-hidden="true">
      {kinds.map(([name, text]) => (
        <li key={name}>
          <i class={name} /> {text}
        </li>
      ))}
    </ul>
  );
}

const concerns = () => true;
const EVERY_MS = 2_500;
/** The window moves on by itself, in steps of a sixtieth. */
const stepMs = (minutes: number): number => Math.max(5_000, minutes * 1_000);

export function Lanes(props: { readonly agent: string | undefined; readonly repository: string | undefined; readonly isPaused: boolean }) {
  const asked = route.value.query.get('window') ?? '1h';
  const chosen: Window = Object.hasOwn(WINDOWS, asked) ? (asked as Window) : '1h';
  const minutes = WINDOWS[chosen];
  const steps = Math.floor(clock.value / stepMs(minutes));
  const since = useMemo(() => steps * stepMs(minutes) - minutes * 60_000, [props.isPaused ? 0 : steps, minutes]);
  const query = { since, ...(props.agent && { agent: props.agent }), ...(props.repository && { repository: props.repository }) };
  const lanes = usePath<PageLanes>(pathOf('/api/lanes', [], query), `lanes ${chosen} ${props.agent} ${props.repository}`);
  const reload = useMemo(() => (props.isPaused ? () => {} : lanes.reload), [props.isPaused, lanes.reload]);
  useRefresh(reload, concerns, EVERY_MS);
  return (
    <section class="card" aria-labelledby="lanes-title">
      <header>
        <h2 id="lanes-title">Sessions</h2>
        <span class="end">
          <Segments
            label="Window of time"
            chosen={chosen}
            options={(Object.keys(WINDOWS) as Window[]).map((name) => [name, name] as const)}
            choose={(window) => choose({ window: window === '1h' ? undefined : window })}
          />
        </span>
      </header>
      <div class="body">
        <Shown of={lanes}>
          {(value) =>
            value.lanes.length === 0 ? (
              <Empty
                title="No agent did anything in this time"
                text="Choose a longer window, or start an agent in a repository with Piton."
              />
            ) : (
              <>
                <Chart lanes={value} />
                <Legend />
              </>
            )
          }
        </Shown>
      </div>
    </section>
  );
}
