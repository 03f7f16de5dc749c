import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  challengeText,
  TEAM_API,
  TEAM_BATCH_TYPE,
  type TeamChallenge,
  type TeamConsent,
  type TeamInventory,
  type TeamJoin,
  type TeamJoined,
  type TeamRefusal,
  type TeamToken,
  type UploadPosition,
  type UploadStored,
} from '@piton/contracts/team';
import { reasonOf } from '../failure.ts';
import { callHttp, type HttpAnswer } from './http-call.ts';
import type { Batch } from './reported/batch.ts';

/** What a team server answered. Nothing that it says is trusted further than this. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** `lost`: nobody answered. `odd`: an answer that no team server gives. */
      readonly why: TeamRefusal['problem'] | 'lost' | 'odd';
      readonly error: string;
      readonly position?: number;
      /** Seconds, if the server asked for time. */
      readonly retryAfter?: number;
    };

/** An upload of eight megabytes over a slow line; a server that says nothing costs no more. */
const LIMIT_MS = 60_000;
/** A person waits for this one. */
const JOIN_LIMIT_MS = 15_000;
const MOST_ANSWER = 64 * 1024;
/** A server that asks for more time gets this much. */
const MOST_RETRY_S = 3600;

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly token?: string;
  readonly json?: object;
  readonly packed?: { readonly type: string; readonly bytes: Uint8Array };
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

async function call<T>(
  url: string,
  { method, path, token, json, packed, limitMs = LIMIT_MS, signal }: Call,
  read: (value: unknown) => T | undefined,
): Promise<Reply<T>> {
  try {
    const response = await callHttp({
      ...{ method, url: `${url}${TEAM_API}${path}`, limitMs, mostBytes: MOST_ANSWER, ...(signal && { signal }) },
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(packed !== undefined && { 'content-type': packed.type, 'content-encoding': 'gzip' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(packed !== undefined && { body: packed.bytes }),
    });
    const { status, text } = response;
    // Whoever answers a join with a redirect would get the key of this machine to know, and a token.
    if (status >= 300 && status < 400)
      return { ok: false, why: 'odd', error: `the server wants us elsewhere (${status}): redirects are not followed` };
    if (text === undefined) return { ok: false, why: 'odd', error: `an answer of more than ${MOST_ANSWER} bytes` };
    if (status < 200 || status > 299) return refusal(response, text);
    const value = read(status === 204 ? {} : parse(text));
    return value === undefined
      ? { ok: false, why: 'odd', error: `an answer that no team server gives: ${text.slice(0, 100)}` }
      : { ok: true, value };
  } catch (error) {
    return { ok: false, why: 'lost', error: reasonOf(error) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const PROBLEMS: readonly string[] = [
  'bad-request',
  'code',
  'token',
  'machine',
  'position',
  'too-large',
  'not-found',
  'busy',
  'failed',
] satisfies TeamRefusal['problem'][];

function refusal({ status, headers }: HttpAnswer, text: string): Reply<never> {
  const { problem, error, position } = fieldsOf(parse(text));
  const isKnown = typeof problem === 'string' && PROBLEMS.includes(problem);
  const retryAfter = secondsOf(headers['retry-after']);
  return {
    ok: false,
    // A proxy in front of it may say the same with its status alone.
    why: isKnown ? (problem as TeamRefusal['problem']) : [429, 502, 503, 504].includes(status) ? 'busy' : 'odd',
    error: typeof error === 'string' ? error.slice(0, 300) : `status ${status}`,
    ...(isCount(position) && { position }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** Seconds, or a date by the server's clock, which is compared with nothing but our own. */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(MOST_RETRY_S, Math.max(1, seconds)) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isName = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length < 1000;

function termsIn(value: unknown): Fields | undefined {
  const { tenant, bodies } = fieldsOf(value);
  const { id, name } = fieldsOf(tenant);
  return isName(id) && isName(name) && typeof bodies === 'boolean' ? fieldsOf(value) : undefined;
}
const idShape = /^[\w-]{1,100}$/;

export const callJoin = (url: string, json: TeamJoin): Promise<Reply<TeamJoined>> =>
  call(url, { method: 'POST', path: '/join', json, limitMs: JOIN_LIMIT_MS }, (value) => {
    const terms = termsIn(value);
    return typeof terms?.machine === 'string' && idShape.test(terms.machine) ? (terms as unknown as TeamJoined) : undefined;
  });

export interface Speaker {
  readonly url: string;
  readonly tenant: string;
  readonly machine: string;
  readonly key: KeyObject;
}

/** A short token, for a signature with the machine's key. */
export async function callToken({ url, tenant, machine, key }: Speaker, signal?: AbortSignal): Promise<Reply<TeamToken>> {
  const at = signal === undefined ? {} : { signal };
  const asked = await call(url, { method: 'POST', path: '/challenge', json: { tenant, machine }, ...at }, (value) =>
    isName(fieldsOf(value).challenge) ? (value as TeamChallenge) : undefined,
  );
  if (!asked.ok) return asked;
  const { challenge } = asked.value;
  const signature = sign(null, Buffer.from(challengeText({ tenant, machine, challenge })), key).toString('base64');
  return call(url, { method: 'POST', path: '/token', json: { tenant, machine, challenge, signature }, ...at }, (value) => {
    const terms = termsIn(value);
    return terms !== undefined && isName(terms.token) && isCount(terms.seconds) ? (terms as unknown as TeamToken) : undefined;
  });
}

const positionIn = <T extends UploadPosition>(value: unknown): T | undefined =>
  isCount(fieldsOf(value).position) ? (value as T) : undefined;

export const callPosition = (url: string, token: string, store: string): Promise<Reply<UploadPosition>> =>
  call(url, { method: 'GET', path: `/stores/${encodeURIComponent(store)}`, token }, positionIn<UploadPosition>);

const pack = promisify(gzip);

export async function callUpload(
  url: string,
  token: string,
  store: string,
  batch: Batch,
  sentMs: number,
  signal?: AbortSignal,
): Promise<Reply<UploadStored>> {
  const path = `/stores/${encodeURIComponent(store)}/changes?after=${batch.after}&through=${batch.through}&sent=${sentMs}`;
  const packed = { type: TEAM_BATCH_TYPE, bytes: await pack(batch.text) };
  const reply = await call(url, { method: 'POST', path, token, packed, ...(signal && { signal }) }, positionIn<UploadStored>);
  // A server that claims less, or more than it was sent, has not stored this.
  if (reply.ok && reply.value.position < batch.through)
    return { ok: false, why: 'odd', error: `it says that it has ${reply.value.position} of ${batch.through}` };
  return reply;
}

export async function callInventory(url: string, token: string, inventory: TeamInventory): Promise<Reply<object>> {
  const packed = { type: 'application/json', bytes: await pack(`${JSON.stringify(inventory)}\n`) };
  return call(url, { method: 'PUT', path: '/inventory', token, packed }, (value) => fieldsOf(value));
}

export const callConsent = (url: string, token: string, consent: TeamConsent): Promise<Reply<object>> =>
  call(url, { method: 'POST', path: '/consent', token, json: consent, limitMs: 10_000 }, (value) => fieldsOf(value));

export const callLeave = (url: string, token: string): Promise<Reply<object>> =>
  call(url, { method: 'POST', path: '/leave', token, json: {}, limitMs: 10_000 }, (value) => fieldsOf(value));
