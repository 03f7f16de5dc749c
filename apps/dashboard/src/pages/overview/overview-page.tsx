import type { PageSums } from '@piton/contracts/page';
import { useApi } from '../../api/resource.ts';
import { AgentName } from '../../parts/agent.tsx';
import { RepositoryChoice, useRepositories } from '../../parts/filters.tsx';
import { describeCost, formatCost, formatCount, nameOfPath, sumTokens } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { choose, goTo, route, routeTo } from '../../router/route.ts';
import { DayChart } from './day-chart.tsx';
import { Health } from './health.tsx';
import { SumTable } from './sum-table.tsx';
import './overview.css';

const RANGES = { '7': '7 days', '30': '30 days', '90': '90 days' } as const;
type Range = keyof typeof RANGES;

/** Of who looks: the page may be served by a machine that lies elsewhere. */
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const isAny = ({ sessions, tools }: PageSums): boolean => sessions + tools > 0;

function Tiles({ totals }: { readonly totals: PageSums }) {
  const tiles = [
    ['sessions', formatCount(totals.sessions)],
    ['turns', formatCount(totals.turns)],
    ['tool calls', formatCount(totals.tools)],
    ['denied', formatCount(totals.denials)],
    ['file writes', formatCount(totals.files)],
    ['tokens', totals.tokens ? formatCount(sumTokens(totals.tokens)) : '–'],
    ['list price', formatCost(totals.cost)],
  ] as const;
  return (
    <dl class="tiles">
      {tiles.map(([name, text]) => (
        <div class="card" key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

export function OverviewPage() {
  const repositories = useRepositories();
  const { query } = route.value;
  const asked = query.get('days') ?? '30';
  const days: Range = Object.hasOwn(RANGES, asked) ? (asked as Range) : '30';
  const repository = query.get('repository');
  const overview = useApi('/api/overview', [], { days: Number(days), zone: ZONE, ...(repository && { repository }) });
  return (
    <>
      <header class="page-head">
        <h1>Overview</h1>
        <div class="end toolbar">
          <input
            class="field"
            type="search"
            aria-label="Search"
            placeholder="Search"
            autocomplete="off"
            onInput={(event) => goTo(['search'], { q: event.currentTarget.value })}
          />
          <RepositoryChoice repositories={repositories} />
          <Segments
            label="Range"
            chosen={days}
            options={(Object.keys(RANGES) as Range[]).map((name) => [name, RANGES[name]] as const)}
            choose={(name) => choose({ days: name === '30' ? undefined : name })}
          />
        </div>
      </header>
      <div class="overview">
        <Shown of={overview} lines={10}>
          {(value) => (
            <>
              {value.counting && <p class="note small">Older records are being counted: these sums are still too small.</p>}
              <Tiles totals={value.totals} />
              {isAny(value.totals) ? (
                <DayChart days={value.days} />
              ) : (
                <section class="card">
                  <Empty
                    title="Nothing was recorded in this time"
                    text="Start an agent in a repository where piton init ran."
                    command="piton init"
                  />
                </section>
              )}
              <SumTable
                title="By agent"
                rows={value.agents.filter(isAny).map((sums) => ({ key: sums.agent, name: <AgentName agent={sums.agent} />, ...sums }))}
              />
              <div class="stack">
                <SumTable
                  title="By repository"
                  rows={value.repositories.filter(isAny).map((sums) => ({
                    ...sums,
                    key: sums.root ?? '',
                    name:
                      sums.root === null ? (
                        <span class="soft">outside any repository</span>
                      ) : sums.repository ? (
                        <a href={routeTo(['repositories', sums.repository])}>{nameOfPath(sums.root)}</a>
                      ) : (
                        nameOfPath(sums.root)
                      ),
                  }))}
                />
                <SumTable
                  title="By model"
                  rows={value.models.map((sums) => ({
                    ...sums,
                    key: sums.model ?? '',
                    name: sums.model ?? <span class="soft">not named</span>,
                  }))}
                />
              </div>
              {value.totals.cost && <p class="small soft price-note">{describeCost(value.totals.cost)}</p>}
            </>
          )}
        </Shown>
        <Health />
      </div>
    </>
  );
}
