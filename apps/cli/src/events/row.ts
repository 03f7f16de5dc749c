import type { DecisionName } from '@piton/contracts';
import type { EventHeader } from '@piton/store';
import type { Context } from '../context.ts';
import type { Colour } from '../output/paint.ts';
import { type Column, table } from '../output/table.ts';
import { formatShortTime, formatTime } from '../output/time.ts';

/** What an event is about, in a few words: the command, the files, the prompt, or the agent's text. */
export function subjectOf(event: EventHeader): string {
  const { tool, prompt, source, reason } = event;
  if (tool?.command) return `${tool.name}: ${tool.command}`;
  if (tool)
    return tool.files.length > 0 ? `${tool.name}: ${tool.files.map((file) => below(event.projectPath, file)).join(', ')}` : tool.name;
  if (prompt) return `“${prompt}”`;
  return source ?? (event.decision === 'deny' ? (reason ?? '') : '');
}

const below = (directory: string, file: string): string => (file.startsWith(`${directory}/`) ? file.slice(directory.length + 1) : file);

export function decisionOf(event: EventHeader): string {
  const marks = [event.derived ? 'derived' : '', event.late ? 'late' : '', event.canary ? 'canary' : ''].filter(Boolean).join(', ');
  // The store keeps no decision if there was none. Only the marks show that no hook was asked.
  if (event.decision === null) return marks ? `(${marks})` : 'observe';
  return marks ? `${event.decision} (${marks})` : event.decision;
}

const COLOURS: Readonly<Record<DecisionName, Colour>> = {
  deny: 'red',
  ask: 'yellow',
  modify: 'magenta',
  rewrite: 'magenta',
  continue: 'blue',
  replace: 'cyan',
  allow: 'green',
  observe: 'dim',
};

export const decisionColour = (decision: DecisionName | null): Colour => COLOURS[decision ?? 'observe'];

/** An event with the shortest ID that names it. */
export interface EventRow {
  readonly event: EventHeader;
  readonly shortId: string;
}

const COLUMNS: readonly Column<EventRow>[] = [
  {
    title: 'TIME',
    value: ({ event }) => formatTime(event.wallUs / 1000),
    narrow: ({ event }) => formatShortTime(event.wallUs / 1000),
  },
  { title: 'AGENT', value: ({ event }) => event.agent },
  { title: 'EVENT', value: ({ event }) => (event.event === 'other' ? event.nativeEvent : event.event) },
  { title: 'WHAT', value: ({ event }) => subjectOf(event), flexible: true },
  {
    title: 'DECISION',
    value: ({ event }) => decisionOf(event),
    narrow: ({ event }) => event.decision ?? decisionOf(event),
    colour: ({ event }) => decisionColour(event.decision),
  },
  { title: 'ID', value: ({ shortId }) => shortId, colour: () => 'dim', whole: true },
];

/** Every event on a row of its own, by its canonical name. */
export const eventTable = (context: Context, rows: readonly EventRow[]): string => table(context, rows, COLUMNS);
