import type { PageOverview } from '@piton/contracts/page';
import { formatCount, sumTokens } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { choose, route } from '../../router/route.ts';

type Day = PageOverview['days'][number];

const dollars = (usd: number): string => `$${usd.toFixed(2)}`;

const MEASURES = {
  tools: { text: 'Calls', of: (day: Day) => day.tools, format: formatCount },
  sessions: { text: 'Sessions', of: (day: Day) => day.sessions, format: formatCount },
  denials: { text: 'Denied', of: (day: Day) => day.denials, format: formatCount },
  files: { text: 'Files', of: (day: Day) => day.files, format: formatCount },
  tokens: { text: 'Tokens', of: (day: Day) => (day.tokens ? sumTokens(day.tokens) : 0), format: formatCount },
  cost: { text: 'Price', of: (day: Day) => day.cost?.usd ?? 0, format: dollars },
} as const;
type Measure = keyof typeof MEASURES;

/** A day of a calendar, such as `2026-11-18`: no time of day, so no time zone may move it. */
const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayText = (day: string): string => dayFormat.format(Date.parse(`${day}T00:00:00Z`));

export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const asked = route.value.query.get('measure') ?? 'tools';
  const chosen: Measure = Object.hasOwn(MEASURES, asked) ? (asked as Measure) : 'tools';
  const { of, format, text } = MEASURES[chosen];
  const most = Math.max(...days.map(of), 0);
  const every = Math.ceil(days.length / 8);
  return (
    <section class="card day-chart" aria-labelledby="days-title">
      <header>
        <h2 id="days-title">Days</h2>
        <span class="small soft">most on one day: {format(most)}</span>
        <span class="end">
          <Segments
            label="What is drawn"
            chosen={chosen}
            options={(Object.keys(MEASURES) as Measure[]).map((name) => [name, MEASURES[name].text] as const)}
            choose={(measure) => choose({ measure: measure === 'tools' ? undefined : measure })}
          />
        </span>
      </header>
      <ol class="bars" style={{ '--days': String(days.length) }}>
        {days.map((day, at) => (
          <li key={day.day} title={`${dayText(day.day)}: ${format(of(day))} ${text.toLowerCase()}`}>
            <span class="hidden-text">
              {dayText(day.day)}: {format(of(day))} {text.toLowerCase()}
            </span>
            <i style={{ height: `${most === 0 ? 0 : (of(day) / most) * 100}%` }} class={of(day) > 0 ? 'some' : ''} />
            <span class="day small soft" aria-hidden="true">
              {(days.length - 1 - at) % every === 0 && dayText(day.day)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
