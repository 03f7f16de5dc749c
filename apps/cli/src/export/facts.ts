import type { ExportDocument, ExportLines, ExportTool, TokenCounts } from '@piton/contracts';
import { plural } from '../output/text.ts';
import { costWords } from './cost.ts';

/** Words and numbers shared by Markdown and HTML. */

export const compactNumber = (count: number): string =>
  count < 1000 ? String(count) : count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;

export function tokenWords({ input, output, cacheRead, cacheWrite }: TokenCounts): string {
  const cache = cacheRead + cacheWrite === 0 ? '' : `, ${compactNumber(cacheRead)} from cache`;
  return `${compactNumber(input + cacheWrite)} tokens in${cache}, ${compactNumber(output)} out`;
}

export function share({ agent, human, shared }: ExportLines): number | null {
  const all = agent + human + shared;
  return all === 0 ? null : Math.round((100 * agent) / all);
}

export function titleOf({ target }: ExportDocument): string {
  const { kind, name, base } = target;
  if (kind === 'branch') return base === null ? `What agents did on ${name}` : `What agents did on ${name}, since ${base}`;
  return `What agents did in ${kind} ${name}`;
}

export function summaryOf({ totals }: ExportDocument): string[] {
  const { sessions, turns, tools, denials, files, lines, tokens, cost } = totals;
  const percent = lines && share(lines);
  return [
    plural(sessions, 'session'),
    plural(turns, 'turn'),
    plural(tools, 'tool call'),
    ...(denials > 0 ? [`${denials} denied`] : []),
    ...(files > 0 ? [`${plural(files, 'file')} edited`] : []),
    ...(lines && percent !== null
      ? [
          `${lines.agent} of ${lines.agent + lines.human + lines.shared} lines by agents (${percent} %)${lines.shared > 0 ? `, ${lines.shared} shared` : ''}`,
        ]
      : []),
    ...(tokens ? [tokenWords(tokens)] : []),
    ...(cost ? [costWords(cost)] : []),
  ];
}

export interface ToolGroup {
  readonly tool: ExportTool;
  /** The command, or the files. */
  readonly subject: string;
  readonly times: number;
}

/** Repeated calls become one line. */
export function groupTools(tools: readonly ExportTool[]): ToolGroup[] {
  const groups = new Map<string, ToolGroup>();
  for (const tool of tools) {
    const subject = tool.command ?? tool.files.join(', ');
    const key = [tool.name, subject, tool.denied ?? '', tool.failed, tool.subagent].join('\0');
    groups.set(key, { tool, subject, times: (groups.get(key)?.times ?? 0) + 1 });
  }
  return [...groups.values()];
}

export function durationBetween(from: string, to: string | null): string | null {
  const ms = to === null ? Number.NaN : Date.parse(to) - Date.parse(from);
  if (Number.isNaN(ms) || ms < 0) return null;
  if (ms < 60_000) return `${Math.max(1, Math.round(ms / 1000))} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const dayAndTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const CUT_CONTEXT = 64;

/** Cuts between graphemes and adds an ellipsis. Segments only the text around the cut: segmenting a long text is slow. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const from = Math.max(0, length - CUT_CONTEXT);
  let end = from;
  for (const { index } of segmenter.segment(text.slice(from, length + CUT_CONTEXT))) if (from + index <= length) end = from + index;
  return `${text.slice(0, end).trimEnd()}…`;
}
