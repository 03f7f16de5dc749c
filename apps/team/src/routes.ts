import type { IncomingMessage } from 'node:http';
import { TEAM_API } from '@piton/contracts/team';
import { type Identity, type TeamStore, TeamStoreError } from '@piton/store/team';
import { type Answer, json, refused, text, unavailable } from './answer.ts';
import type { Challenges } from './challenge.ts';
import type { Metrics } from './metrics.ts';
import { readBody } from './request-body.ts';
import {
  answerChallenge,
  answerConsent,
  answerInventory,
  answerJoin,
  answerLeave,
  answerMachines,
  answerToken,
} from './routes/machines.ts';
import { answerPosition, answerUpload } from './routes/uploads.ts';

export interface RoutePorts {
  readonly store: TeamStore;
  readonly challenges: Challenges;
  readonly metrics: Metrics;
  readonly now: () => number;
  /** What cannot be shown to whoever asked. */
  readonly log: (line: string) => void;
  readonly isDraining: () => boolean;
  /** Requests that are being answered now. */
  readonly open: () => number;
}
export interface RouteInput extends RoutePorts {
  readonly query: URLSearchParams;
  /** Undefined for a route that reads none. */
  readonly body: unknown;
}
type MachineIdentity = Extract<Identity, { kind: 'machine' }>;
type Route =
  | { readonly for: 'anybody'; readonly answer: (input: RouteInput) => Promise<Answer> | Answer }
  | { readonly for: 'machine'; readonly answer: (input: RouteInput, identity: MachineIdentity, name: string) => Promise<Answer> }
  | { readonly for: 'known'; readonly answer: (input: RouteInput, identity: Identity) => Promise<Answer> };

/** By method and path. `:name` stands for one part of it. */
const ROUTES: Readonly<Record<string, Route>> = {
  'GET /healthz': { for: 'anybody', answer: () => text('alive\n') },
  'GET /readyz': { for: 'anybody', answer: answerReady },
  'GET /metrics': {
    for: 'anybody',
    answer: ({ metrics, open, isDraining }) => text(metrics.text({ open_requests: open(), draining: Number(isDraining()) })),
  },
  [`POST ${TEAM_API}/join`]: { for: 'anybody', answer: answerJoin },
  [`POST ${TEAM_API}/challenge`]: { for: 'anybody', answer: answerChallenge },
  [`POST ${TEAM_API}/token`]: { for: 'anybody', answer: answerToken },
  [`GET ${TEAM_API}/stores/:name`]: { for: 'machine', answer: answerPosition },
  [`POST ${TEAM_API}/stores/:name/changes`]: { for: 'machine', answer: answerUpload },
  [`PUT ${TEAM_API}/inventory`]: { for: 'machine', answer: answerInventory },
  [`POST ${TEAM_API}/consent`]: { for: 'machine', answer: answerConsent },
  [`POST ${TEAM_API}/leave`]: { for: 'machine', answer: answerLeave },
  [`GET ${TEAM_API}/machines`]: { for: 'known', answer: answerMachines },
};
const PATTERNS = Object.entries(ROUTES).map(([name, route]) => ({
  name,
  route,
  pattern: new RegExp(`^${name.replace(':name', '([\\w.-]{1,100})')}$`),
}));

/** The answer to one request, and the name of its route. Never rejects. */
export async function answerRequest(
  request: IncomingMessage,
  ports: RoutePorts,
): Promise<{ readonly route: string; readonly answer: Answer }> {
  const [path = '', query = ''] = (request.url ?? '/').split('?', 2);
  const asked = `${request.method} ${path}`;
  const found = PATTERNS.find(({ pattern }) => pattern.test(asked));
  if (found === undefined) return { route: 'none', answer: refused('not-found', 'there is nothing at this address') };
  try {
    const part = found.pattern.exec(asked)?.[1] ?? '';
    return {
      route: found.name,
      answer: await run(found.route, request, { ...ports, query: new URLSearchParams(query), body: undefined }, part),
    };
  } catch (error) {
    return { route: found.name, answer: failureAnswer(error, ports) };
  }
}

async function run(route: Route, request: IncomingMessage, input: RouteInput, part: string): Promise<Answer> {
  // Before the body is read: who is not known cannot make us hold one.
  const identity = route.for === 'anybody' ? undefined : await identify(request, input.store);
  if (route.for !== 'anybody' && identity === undefined) return refused('token', 'no token, or one that is too old');
  if (route.for === 'machine' && identity?.kind !== 'machine') return refused('machine', 'this is for machines');
  const body = request.method === 'GET' ? undefined : await readBody(request);
  if (body?.ok === false) return refused(body.problem, body.error);
  const whole = { ...input, body: body?.value };
  if (route.for === 'anybody') return route.answer(whole);
  return route.for === 'machine' ? route.answer(whole, identity as MachineIdentity, part) : route.answer(whole, identity as Identity);
}

async function identify({ headers: { authorization = '' } }: IncomingMessage, store: TeamStore): Promise<Identity | undefined> {
  const token = /^Bearer ([\x21-\x7e]{1,1000})$/.exec(authorization)?.[1];
  return token === undefined ? undefined : store.authenticate(token);
}

async function answerReady({ store, isDraining }: RouteInput): Promise<Answer> {
  const { ok, problem } = await store.status();
  if (isDraining()) return unavailable('this server is ending');
  return ok ? json({ ready: true }) : unavailable(problem ?? 'failed');
}

/** Nothing of it is the fault of who asked, and it can be mended while they wait. */
const LATER: readonly TeamStoreError['problem'][] = ['unavailable', 'busy', 'not-migrated', 'role'];

function failureAnswer(error: unknown, { log }: RoutePorts): Answer {
  if (error instanceof TeamStoreError && LATER.includes(error.problem)) return unavailable(error.problem);
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET') return refused('bad-request', 'the request broke off');
  log(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return refused('failed', 'something failed here. Its log says what');
}
