import type { ComponentChildren } from 'preact';
import type { ExportCost, TokenCounts } from '../../api/words.ts';
import { formatCount, sumTokens } from '../../parts/format.ts';
import { ScrollArea } from '../../parts/scroll-area.tsx';
import { Cost } from '../../parts/tokens.tsx';

interface Row {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly sessions?: number;
  readonly requests?: number;
  readonly tools?: number;
  readonly denials?: number;
  readonly tokens: TokenCounts | null;
  readonly cost: ExportCost | null;
}

const COUNTS = [
  ['sessions', 'Sessions'],
  ['requests', 'Requests'],
  ['tools', 'Calls'],
  ['denials', 'Denied'],
] as const;

/** Sums by one thing; what is not known of any row has no column. */
export function SumTable({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  const counts = COUNTS.filter(([name]) => rows.some((row) => row[name] !== undefined));
  const measure = (row: Row): number => row.tools ?? (row.tokens ? sumTokens(row.tokens) : 0);
  const most = Math.max(1, ...rows.map(measure));
  return (
    <div class="card">
      <header>
        <h2>{title}</h2>
      </header>
      <ScrollArea name="scroll-x" label={title}>
        <table class="sums-table">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden-text">Name</span>
              </th>
              {counts.map(([name, text]) => (
                <th key={name} scope="col" class="end">
                  {text}
                </th>
              ))}
              <th scope="col" class="end">
                Tokens
              </th>
              <th scope="col" class="end">
                List price
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  {row.name}
                  <span class="amount" aria-hidden="true">
                    <i style={{ width: `${(measure(row) / most) * 100}%` }} />
                  </span>
                </th>
                {counts.map(([name]) => (
                  <td key={name} class="end">
                    {formatCount(row[name] ?? 0)}
                  </td>
                ))}
                <td class="end">{row.tokens ? formatCount(sumTokens(row.tokens)) : '–'}</td>
                <td class="end">{row.cost ? <Cost cost={row.cost} /> : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </div>
  );
}
