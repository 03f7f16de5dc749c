/** The position of an event in its session: by boot, then by the monotonic clock, then by stamp. */
export interface Position {
  readonly bootId: string;
  readonly monotonicUs: number;
  readonly stamp: string;
  readonly wallUs: number;
}
export type Order = 'after' | 'before' | 'same';

function compareInBoot(a: Position, b: Position): number {
  if (a.monotonicUs !== b.monotonicUs) return a.monotonicUs - b.monotonicUs;
  return a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0;
}

/** Is this position after all events so far? */
export function orderOf(
  { last, boots }: { readonly last: Position | null; readonly boots: readonly Position[] },
  position: Position,
): Order {
  if (last === null) return 'after';
  if (last.bootId === position.bootId) {
    const order = compareInBoot(position, last);
    return order > 0 ? 'after' : order < 0 ? 'before' : 'same';
  }
  const current = boots.at(-1);
  if (boots.some((boot) => boot.bootId === position.bootId) || current === undefined) return 'before';
  return compareBoots(position, current) > 0 ? 'after' : 'before';
}

/** Monotonic clocks of two boots cannot be compared, so the wall clock of each boot's first event decides. */
function compareBoots(a: Position, b: Position): number {
  return a.wallUs !== b.wallUs ? a.wallUs - b.wallUs : a.bootId < b.bootId ? -1 : a.bootId > b.bootId ? 1 : 0;
}

/** Is it before all other events of its boot? Then the order of boots may depend on it. */
export function beginsBoot(boots: readonly Position[], position: Position): boolean {
  const first = boots.find(({ bootId }) => bootId === position.bootId);
  return first === undefined || compareInBoot(position, first) < 0;
}

export const isWithinTurn = (opened: Position, position: Position): boolean =>
  opened.bootId === position.bootId && compareInBoot(position, opened) > 0;

/** All events of a session in the order in which they happened, each once. */
export function sortByPosition<T extends { readonly position: Position }>(events: readonly T[]): T[] {
  const boots = new Map<string, T[]>();
  for (const event of events) {
    const { bootId } = event.position;
    const group = boots.get(bootId);
    if (group === undefined) boots.set(bootId, [event]);
    else group.push(event);
  }
  const groups = [...boots.values()].map((group) => group.sort((a, b) => compareInBoot(a.position, b.position)));
  groups.sort((a, b) => compareBoots((a[0] as T).position, (b[0] as T).position));
  return groups.flat().filter((event, at, all) => at === 0 || event.position.stamp !== all[at - 1]?.position.stamp);
}
