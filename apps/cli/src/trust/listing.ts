import { existsSync } from 'node:fs';
import type { Places } from '@piton/contracts/places';
import { readTrust, trustable } from '@piton/hooks';
import { type Context, printJson, printLine } from '../context.ts';
import { Failure } from '../failure.ts';
import { type Column, table } from '../output/table.ts';
import { formatAge } from '../output/time.ts';
import { trustPorts } from './pending.ts';

interface Trusted {
  readonly root: string;
  readonly id: string;
  readonly event: string;
  /** ISO-8601. */
  readonly since: string;
  readonly may: readonly string[];
  readonly state: 'as trusted' | 'changed' | 'source gone' | 'project gone';
  readonly hash: string;
}

/** Everything that is trusted, in all projects. */
export function listTrusted(context: Context, places: Places, json: boolean): void {
  const { index, problem } = readTrust(places.trust);
  if (problem)
    throw new Failure(`cannot read the list of trusted hooks: ${problem}`, { where: places.trust, remedy: 'run `piton doctor`' });
  const rows = Object.entries(index.roots).flatMap(([root, { hooks }]) => {
    const stateOf = statesIn(places, root);
    return Object.entries(hooks).map(
      ([id, { event, at, may, hash }]): Trusted => ({ root, id, event, since: at, may, state: stateOf(id), hash }),
    );
  });
  if (json) return printJson(context, rows);
  if (rows.length === 0) return printLine(context, 'No project hooks are trusted.');
  context.out(
    table(context, rows, [
      { title: 'HOOK', value: ({ id }) => id, flexible: 'middle' },
      { title: 'EVENT', value: ({ event }) => event, narrow: 'left-out' },
      { title: 'SINCE', value: ({ since }) => sinceText(since) },
      ...(rows.some(({ may }) => may.length > 0) ? [mayColumn] : []),
      { title: 'STATE', value: ({ state }) => state, colour: ({ state }) => (state === 'as trusted' ? undefined : 'yellow') },
      { title: 'PROJECT', value: ({ root }) => root, flexible: 'middle' },
    ]),
  );
}

/** Most have none. */
const mayColumn: Column<Trusted> = { title: 'MAY ALSO', value: ({ may }) => (may.length > 0 ? may.join(', ') : '-') };

function sinceText(at: string): string {
  const passed = Date.now() - Date.parse(at);
  return Number.isNaN(passed) ? '?' : `${formatAge(Math.max(0, passed))} ago`;
}

/** How each hook of a project compares with its trusted copy, which runs in any case. */
function statesIn(places: Places, root: string): (id: string) => Trusted['state'] {
  if (!existsSync(root)) return () => 'project gone';
  const found = new Map(trustable(trustPorts(places), root).map((hook) => [hook.id, hook]));
  return (id) => {
    const hook = found.get(id);
    if (hook?.now == null) return 'source gone';
    return hook.trusted === 'yes' ? 'as trusted' : 'changed';
  };
}
