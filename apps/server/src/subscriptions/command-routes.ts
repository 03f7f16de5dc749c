import type { Made } from './fired.ts';
import type { Relinked, Rewound } from './telling.ts';

const TEXTS: readonly (keyof Made)[] = ['id', 'kind', 'name'];
const MAYBE: readonly (keyof Made)[] = ['base', 'branch', 'session', 'agent', 'linked'];

/** What came over the command's socket, or null if a `piton rewind` of this version did not send it. */
export function readRewound(body: unknown): Rewound | null {
  if (!isObject(body) || typeof body.root !== 'string' || !Array.isArray(body.made) || !body.made.every(isMade)) return null;
  const { restored } = body;
  if (restored !== null && !(isObject(restored) && isMade(restored.checkpoint) && typeof restored.undo === 'string')) return null;
  return body as unknown as Rewound;
}

/** The same of `piton checkpoints repair`. */
export function readRelinked(body: unknown): Relinked | null {
  if (!isObject(body) || typeof body.root !== 'string' || !Array.isArray(body.links)) return null;
  const known = body.links.every(
    (link) =>
      isObject(link) && ['made', 'linked'].includes(String(link.kind)) && isMade(link.checkpoint) && typeof link.commit === 'string',
  );
  return known ? (body as unknown as Relinked) : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isMade = (value: unknown): value is Made =>
  isObject(value) &&
  TEXTS.every((key) => typeof value[key] === 'string') &&
  MAYBE.every((key) => value[key] === null || typeof value[key] === 'string');
