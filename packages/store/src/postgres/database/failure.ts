import type { TeamFailure, TeamProblem } from '../team/batch.ts';

/** Why the record of a team could not be read or written. */
export class TeamStoreError extends Error {
  readonly problem: TeamProblem;
  constructor(problem: TeamProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TeamStoreError';
    this.problem = problem;
  }
}

const CODES: Readonly<Record<string, TeamProblem>> = {
  ...{ ECONNREFUSED: 'unavailable', ECONNRESET: 'unavailable', ENOENT: 'unavailable', EPIPE: 'unavailable', ETIMEDOUT: 'unavailable' },
  ...{ '53300': 'unavailable', '57P01': 'unavailable', '57P02': 'unavailable', '57P03': 'unavailable', '57P05': 'unavailable' },
  // A statement or a lock took too long; two transactions were in each other's way.
  ...{ '57014': 'busy', '55P03': 'busy', '40001': 'busy', '40P01': 'busy' },
  ...{ '3F000': 'not-migrated', '42P01': 'not-migrated', '42703': 'not-migrated', '42883': 'not-migrated' },
};

export function teamProblemOf(error: unknown): TeamProblem {
  if (error instanceof TeamStoreError) return error.problem;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (code === '23514' && message.startsWith('no partition')) return 'no-partition';
  const known = CODES[code];
  if (known !== undefined) return known;
  if (code.startsWith('08') || /^(Connection terminated|timeout exceeded when trying to connect)/.test(message)) return 'unavailable';
  return code.startsWith('22') ? 'invalid' : 'failed';
}

const HINTS: Partial<Record<TeamProblem, string>> = {
  'no-partition': 'there is no partition for today: run `piton team maintain`',
  'not-migrated': 'the database does not fit this version: run `piton team migrate`',
};

export function teamFailureOf(error: unknown): TeamFailure {
  const problem = teamProblemOf(error);
  return { ok: false, problem, error: HINTS[problem] ?? (error as Error).message };
}

export const teamErrorOf = (error: unknown): TeamStoreError =>
  error instanceof TeamStoreError ? error : new TeamStoreError(teamProblemOf(error), teamFailureOf(error).error, { cause: error });
