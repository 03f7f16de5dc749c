import type { ObservedHere } from '@piton/store';

/** What each kind is, for people. A handoff is listed only if it is asked for: every session has one, and `piton handoff` prints it. */
export const KINDS: Readonly<Record<ObservedHere['kind'], string>> = {
  works: 'a command that works here',
  fix: 'an error and what fixed it',
  note: 'a note',
  crash: 'a session that ended without a word',
  commit: 'a commit of a session',
  handoff: 'what the next session needs to continue',
};

/** These are what happened in a session, not what was learnt from it: deleting them would make its story wrong. */
export const canBeDeleted = ({ kind }: Pick<ObservedHere, 'kind'>): boolean => kind !== 'crash' && kind !== 'commit';

/** In one line. Whatever the body is: it may come from a newer Piton. */
export function summaryOf({ kind, body }: Pick<ObservedHere, 'kind' | 'body'>): string {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string): string => (typeof fields[name] === 'string' ? (fields[name] as string) : '');
  const goal = fields.goal as { text?: unknown } | undefined;
  switch (kind) {
    case 'works':
      return [text('command'), text('cwd') && `in ${text('cwd')}`].filter(Boolean).join(' ');
    case 'fix':
      return `${text('command')}: ${text('error')} → ${text('fixedBy')}`;
    case 'crash':
      return text('why');
    case 'handoff':
      return typeof goal?.text === 'string' ? goal.text : '';
    case 'commit':
    case 'note':
      return typeof body === 'string' ? body : JSON.stringify(body);
  }
}

/** The events that show it. */
export function eventsOf({ body }: Pick<ObservedHere, 'body'>): string[] {
  const { eventId, events } = (typeof body === 'object' && body !== null ? body : {}) as { eventId?: unknown; events?: unknown };
  const all = [eventId, ...(Array.isArray(events) ? events : [])];
  return [...new Set(all.filter((id): id is string => typeof id === 'string'))];
}
