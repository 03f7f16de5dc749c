import {
  type BodyWithheld,
  MAX_TEAM_BODY_BYTES,
  machineSource,
  recordId,
  type TeamCloudEvent,
  type TeamHookRun,
  type TeamRecords,
  type TeamRecordType,
  type TeamRepository,
} from '@piton/contracts/team';
import type { Redactor } from '@piton/redact';
import type { Change, Changed, HookRun, SessionDetail, UsageRecord } from '@piton/store';
import type { Repositories } from '../repositories.ts';
import { usageByModel } from './usage.ts';

/** What decides what may leave, and under which names. */
export interface RecordPorts {
  readonly machine: string;
  readonly store: string;
  /** Both the team and the person agreed. */
  readonly bodies: boolean;
  /** Since when the person did: of what is older no text leaves. */
  readonly agreedUs: number;
  readonly repositories: Repositories;
  readonly redactor: Pick<Redactor, 'text' | 'value'>;
  readonly digestOf: (hook: string, root: string | null) => string | null;
  readonly usage: (session: string) => Promise<readonly UsageRecord[]>;
  readonly session: (id: string) => Promise<SessionDetail | undefined>;
}

type Of<Kind extends Changed['kind']> = Extract<Changed, { kind: Kind }>['value'];

/** The record of a change as it leaves; undefined if it may not. */
export async function recordOf(change: Change, changed: Changed, ports: RecordPorts): Promise<TeamCloudEvent | undefined> {
  switch (changed.kind) {
    case 'event':
      return event(change, changed.value, ports);
    case 'session':
      return session(change, changed.value, ports);
    case 'piton-event':
      return checkpoint(change, changed.value, ports);
    case 'push':
      return push(change, changed.value, ports);
    case 'transcript':
      return usage(change, changed.value.session, ports);
    // What was learnt in a session is text, and stays.
    case 'observation':
      return undefined;
  }
}

const at = (us: number): string => new Date(us / 1000).toISOString();
const maybeAt = (us: number | null): string | null => (us === null ? null : at(us));

function wrap<Type extends TeamRecordType>(change: Change, type: Type, time: string, data: TeamRecords[Type], ports: RecordPorts) {
  const { machine, store } = ports;
  const about = { specversion: '1.0', id: recordId(store, change.seq), source: machineSource(machine), type, time } as const;
  return { ...about, datacontenttype: 'application/json', pitonchange: String(change.seq), data } as TeamCloudEvent;
}

async function event(change: Change, value: Of<'event'>, ports: RecordPorts): Promise<TeamCloudEvent | undefined> {
  const { redactor, repositories } = ports;
  const repository = repositories.of(value.repo);
  if (repository === 'not-reported') return undefined;
  const text = (one: string | null): string | null => (one === null ? null : short(redactor.text(one)));
  const runs = await ownRuns(value.hookRuns, value.session, repository, ports);
  const kept = new Set(runs.map(({ hook }) => hook));
  const { body, withheld } = bodyOf(eventTexts(value), eventBodyBarred(value, ports), ports);
  return wrap(
    change,
    'piton.event.v1',
    at(value.wallUs),
    {
      eventId: value.eventId,
      session: value.session,
      agent: value.agent,
      event: value.event,
      nativeEvent: short(redactor.text(value.nativeEvent)),
      at: at(value.wallUs),
      repository,
      branch: text(value.branch),
      model: text(value.model),
      tool: value.tool === null ? null : { name: short(redactor.text(value.tool.name)), kind: value.tool.kind },
      subagent: text(value.agentId),
      parent: value.parentId,
      depth: value.depth,
      late: value.late,
      derived: value.derived,
      canary: value.canary,
      truncated: value.truncated,
      payloadBytes: value.payloadSize,
      decision: value.decision,
      decidedBy: value.decidedBy.filter((hook) => kept.has(hook)).map((hook) => short(redactor.text(hook))),
      hooks: runs.map((run) => hookRun(run, value.repo, ports)),
      redaction: short(value.redaction),
      body,
      withheld,
    },
    ports,
  );
}

/** A session that began in another repository brings that one's hooks along: their names are of that repository. */
async function ownRuns(
  runs: readonly HookRun[],
  id: string | null,
  repository: TeamRepository | null,
  { session, repositories }: RecordPorts,
): Promise<readonly HookRun[]> {
  if (id === null || runs.every(({ scope }) => scope === 'user')) return runs;
  const began = repositories.of((await session(id))?.repo ?? null);
  const isSame = began !== 'not-reported' && began?.id === repository?.id;
  return isSame ? runs : runs.filter(({ scope }) => scope === 'user');
}

const hookRun = (run: HookRun, root: string | null, { digestOf, redactor }: RecordPorts): TeamHookRun => ({
  hook: short(redactor.text(run.hook)),
  scope: run.scope,
  digest: digestOf(run.hook, root),
  did: run.did,
  why: run.why as TeamHookRun['why'],
  said: run.said,
  failed: run.failed as TeamHookRun['failed'],
  durationMs: run.durationMs,
  observed: run.observed,
});

const eventTexts = ({ prompt, text, tool, reason, envelope }: Of<'event'>): NonNullable<TeamRecords['piton.event.v1']['body']> => ({
  prompt,
  text,
  command: tool?.command ?? null,
  files: tool?.files ?? [],
  reason,
  payload: envelope?.payload ?? null,
});

function eventBodyBarred(value: Of<'event'>, { repositories, agreedUs }: RecordPorts): BodyWithheld | undefined {
  if (value.wallUs < agreedUs) return 'consent';
  if (value.expired) return 'expired';
  return value.tool?.files.every((file) => repositories.allowsFile(file, value.repo)) === false ? 'repository' : undefined;
}

/** Redacted once more, by the rules of now: the store may hold what older ones let through. */
function bodyOf<Body>(body: Body, barred: BodyWithheld | undefined, { bodies, redactor }: RecordPorts) {
  if (!bodies) return { body: null, withheld: 'consent' as const };
  if (barred !== undefined) return { body: null, withheld: barred };
  const redacted = redactor.value(body);
  const size = Buffer.byteLength(JSON.stringify(redacted));
  return size > MAX_TEAM_BODY_BYTES ? { body: null, withheld: 'too-large' as const } : { body: redacted as Body, withheld: null };
}

function session(change: Change, value: Of<'session'>, ports: RecordPorts): TeamCloudEvent | undefined {
  const { redactor, repositories } = ports;
  const repository = repositories.of(value.repo);
  if (repository === 'not-reported') return undefined;
  const prompts = Object.fromEntries(
    value.turnList.flatMap(({ id, prompt, startedUs }) => (prompt === null || startedUs < ports.agreedUs ? [] : [[id, prompt]])),
  );
  return wrap(
    change,
    'piton.session.v1',
    at(value.lastUs),
    {
      session: value.id,
      agent: value.agent,
      ref: short(redactor.text(value.providerRef)),
      phase: value.phase,
      startedAt: at(value.startedUs),
      lastAt: at(value.lastUs),
      endedAt: maybeAt(value.endedUs),
      repository,
      branch: value.branch === null ? null : short(redactor.text(value.branch)),
      model: value.model === null ? null : short(redactor.text(value.model)),
      parent: value.parentId,
      depth: value.depth,
      events: value.events,
      tools: value.tools,
      denials: value.denials,
      compactions: value.compactions,
      commits: value.commits,
      turns: value.turnList.map(({ id, number, startedUs, endedUs, closed, tools, denials, commits }) => ({
        ...{ id, number, startedAt: at(startedUs), endedAt: maybeAt(endedUs), closed, tools, denials, commits },
      })),
      ...bodyOf({ prompts }, undefined, ports),
    },
    ports,
  );
}

const DID = { 'checkpoint-created': 'created', 'checkpoint-restored': 'restored', 'commit-linked': 'linked' } as const;

function checkpoint(change: Change, { event: own }: Of<'piton-event'>, ports: RecordPorts): TeamCloudEvent | undefined {
  if (own.event !== 'checkpoint-created' && own.event !== 'checkpoint-restored' && own.event !== 'commit-linked') return undefined;
  const repository = ports.repositories.of(own.repo);
  if (repository === 'not-reported') return undefined;
  const branch = own.branch === null ? null : short(ports.redactor.text(own.branch));
  const about = { id: own.id, did: DID[own.event], at: own.time, checkpoint: own.checkpoint_id, kind: own.kind, commit: own.commit_sha };
  const data = { ...about, base: own.base_sha, ref: own.session_id, agent: own.agent, repository, branch };
  return wrap(change, 'piton.checkpoint.v1', own.time, data, ports);
}

function push(change: Change, value: Of<'push'>, ports: RecordPorts): TeamCloudEvent | undefined {
  const repository = ports.repositories.of(value.repo);
  if (repository === 'not-reported' || repository === null) return undefined;
  const { id, oldSha, newSha, commits } = value;
  const data = { id, at: at(value.wallUs), repository, ref: short(ports.redactor.text(value.ref)), oldSha, newSha, commits };
  return wrap(change, 'piton.push.v1', at(value.wallUs), data, ports);
}

async function usage(change: Change, id: string, ports: RecordPorts): Promise<TeamCloudEvent | undefined> {
  const found = await ports.session(id);
  const repository = found && ports.repositories.of(found.repo);
  if (found === undefined || repository === undefined || repository === 'not-reported') return undefined;
  const models = usageByModel(await ports.usage(id), (model) => short(ports.redactor.text(model)));
  const data = { session: id, agent: found.agent, repository, at: at(found.lastUs), models };
  return wrap(change, 'piton.usage.v1', at(found.lastUs), data, ports);
}

const LONGEST = 8192;
const short = (text: string): string => (text.length <= LONGEST ? text : text.slice(0, LONGEST));
