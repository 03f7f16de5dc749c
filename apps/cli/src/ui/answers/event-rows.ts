import type { PageCommand, PageEventRow } from '@piton/contracts/page';
import type { EventHeader } from '@piton/store';
import { commandName } from '../../command-name.ts';
import type { Context } from '../../context.ts';
import { boundedText, ms, SHORT } from '../text.ts';

/** An event in a list. */
export function eventRow(context: Context, header: EventHeader): PageEventRow {
  return {
    id: header.eventId,
    seq: header.seq,
    at: ms(header.wallUs),
    name: header.event,
    agent: header.agent,
    session: header.session,
    subagent: header.agentId,
    root: header.repo,
    tool: header.tool?.name ?? null,
    what: boundedText(whatOf(header), SHORT, `event.what.${header.eventId}`),
    decision: header.decision,
    reason: header.reason,
    by: header.decidedBy,
    failed: hasFailed(header),
    commands: eventCommands(context, header),
  };
}

export const hasFailed = ({ event, derived }: EventHeader): boolean =>
  (event === 'post_tool_use_failure' && !derived) || event === 'stop_failure';

/** The command, the files, the prompt, or why. */
export const whatOf = ({ tool, prompt, source, reason }: EventHeader): string =>
  tool?.command ?? (tool && tool.files.length > 0 ? tool.files.join(', ') : (prompt ?? source ?? reason ?? tool?.name ?? ''));

export function eventCommands(context: Context, { eventId, decision, decidedBy }: EventHeader): PageCommand[] {
  if (decision === null) return [];
  const piton = commandName(context);
  const explain = { does: 'explain', command: `${piton} hooks explain ${eventId}`, directory: null } as const;
  if (decision !== 'deny' || decidedBy.length === 0) return [explain];
  const hook = decidedBy.length > 1 ? ` --hook ${decidedBy[0]}` : '';
  return [explain, { does: 'wrong-deny', command: `${piton} hooks explain ${eventId} --wrong${hook}`, directory: null }];
}
