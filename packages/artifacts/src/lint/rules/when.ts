import { type EventTable, isToolEvent, type ToolEvent } from '@piton/contracts';
import type { Found, Rule } from '../context.ts';
import { kindsOf } from '../tool-names.ts';

const OF_A_TOOL = ['kind', 'command', 'file', 'input'] as const;
/** Events of no tool that can have a source. */
const HAS_SOURCE: EventTable<boolean, ToolEvent> = {
  session_start: true,
  session_end: true,
  user_prompt_submit: true,
  subagent_start: false,
  subagent_stop: false,
  stop: false,
  stop_failure: true,
  pre_compact: true,
  post_compact: true,
  notification: true,
  other: true,
};

/** Conditions that are never true on this event. */
export const deadConditionRule: Rule = ({ entry, event, reading, file, lineOf }) => {
  const { when } = entry;
  if (event === undefined || typeof when !== 'object' || when === null || reading.wrong.some(({ field }) => field === 'when')) return [];
  const conditions = when as Readonly<Record<string, unknown>>;
  const found = (what: string): Found => ({
    rule: 'when.never',
    file,
    line: lineOf('when'),
    what,
    remedy: 'remove it, or use another event',
  });
  const ofTool = OF_A_TOOL.find((name) => conditions[name] !== undefined);
  if (!isToolEvent(event)) {
    if (ofTool !== undefined && event !== 'other') return [found(`when.${ofTool} needs a tool, but ${event} has none`)];
    return conditions.source === undefined || HAS_SOURCE[event] ? [] : [found(`when.source never matches: ${event} has no source`)];
  }
  if (conditions.source !== undefined) return [found(`when.source never matches: ${event} has no source`)];
  const kinds = kindsOf(event);
  const asked: readonly unknown[] = conditions.kind === undefined ? [] : [conditions.kind].flat();
  if (kinds === undefined) return [];
  if (asked.length > 0 && !asked.some((kind) => (kinds as readonly unknown[]).includes(kind)))
    return [found(`when.kind never matches: ${event} fires for ${kinds.join(', ')} only`)];
  return conditions.command !== undefined && !kinds.includes('shell')
    ? [found(`when.command needs a shell tool, but ${event} is not one`)]
    : [];
};
