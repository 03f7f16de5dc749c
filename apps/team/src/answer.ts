import type { TeamRefusal } from '@piton/contracts/team';

/** What a route answers. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly retryAfter?: number;
}

export const json = (value: unknown, status = 200): Answer => ({ status, type: 'application/json', body: JSON.stringify(value) });
export const text = (body: string, status = 200): Answer => ({ status, type: 'text/plain; charset=utf-8', body });
export const NOTHING: Answer = { status: 204, type: 'application/json', body: '' };

const STATUS: Readonly<Record<TeamRefusal['problem'], number>> = {
  'bad-request': 400,
  code: 403,
  token: 401,
  machine: 403,
  position: 409,
  'too-large': 413,
  'not-found': 404,
  busy: 429,
  failed: 500,
};

export const refused = (
  problem: TeamRefusal['problem'],
  error: string,
  more: { readonly position?: number; readonly retryAfter?: number } = {},
): Answer => {
  const { retryAfter, ...rest } = more;
  return { ...json({ problem, error, ...rest } satisfies TeamRefusal, STATUS[problem]), ...(retryAfter !== undefined && { retryAfter }) };
};
/** The database is away, or a migration runs: everybody comes again, not all in the same second. */
export const unavailable = (error: string): Answer => ({
  ...refused('busy', error, { retryAfter: 2 + Math.floor(Math.random() * 5) }),
  status: 503,
});
