import type { ExportCost, TokenCounts } from '../api/words.ts';
import { describeCost, formatCost, formatCount, formatWhole, sumTokens } from './format.ts';

const CLASSES: readonly (readonly [keyof TokenCounts, string])[] = [
  ['input', 'input'],
  ['cacheRead', 'from cache'],
  ['cacheWrite', 'into cache'],
  ['cacheWrite1h', '… for an hour'],
  ['output', 'output'],
  ['reasoning', '… of it reasoning'],
];

export function TokenTable({ tokens }: { readonly tokens: TokenCounts }) {
  return (
    <table class="token-table">
      <caption class="hidden-text">Tokens by class</caption>
      <tbody>
        {CLASSES.filter(([name]) => tokens[name] > 0).map(([name, text]) => (
          <tr key={name}>
            <th scope="row">{text}</th>
            <td class="end">{formatWhole(tokens[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function TokenSum({ tokens }: { readonly tokens: TokenCounts | null }) {
  if (!tokens) return null;
  return <span class="numbers">{formatCount(sumTokens(tokens))} tokens</span>;
}

export function Cost({ cost }: { readonly cost: ExportCost | null }) {
  if (!cost) return null;
  return (
    <span class="numbers" title={describeCost(cost)}>
      {formatCost(cost)}
    </span>
  );
}
