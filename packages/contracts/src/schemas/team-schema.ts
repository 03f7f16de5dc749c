import * as z from 'zod';
import { DECISION_NAMES } from '../decision.ts';
import { EVENTS, TOOL_KINDS } from '../events.ts';
import { MAX_TEAM_RECORDS, type TeamRecordType } from '../team/batch.ts';
import { RUN_FAILURES, SCOPES, SKIP_REASONS } from './outcome-words.ts';

const text = z.string().max(8192);
const long = z.string();
const count = z.int().nonnegative();
const time = z.iso.datetime();
const sha = text.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const digest = text.regex(/^sha256:[0-9a-f]{64}$/);
const scope = z.enum(SCOPES);

const repository = z
  .strictObject({
    id: text.min(1).meta({ description: '`host/path` of the remote `origin`, or `local:` and a hash.' }),
    name: text,
  })
  .meta({ description: 'No path of a machine.' });
const inRepository = { repository: repository.nullable(), branch: text.nullable() };

const withheld = z
  .enum(['consent', 'repository', 'too-large', 'expired', 'none'])
  .nullable()
  .meta({ description: 'Why there is no body; null if there is one.' });

const hookRun = z.strictObject({
  hook: text,
  scope,
  digest: digest.nullable().meta({ description: 'Of the hook as it was when this left; null if it had changed, or is built in.' }),
  did: z.enum(['ran', 'skipped']),
  why: z.enum(SKIP_REASONS).nullable(),
  said: z.enum(DECISION_NAMES).nullable(),
  failed: z.enum(RUN_FAILURES).nullable(),
  durationMs: z.number().nonnegative().nullable(),
  observed: z.boolean(),
});

const event = z.strictObject({
  eventId: z.ulid(),
  session: text.nullable(),
  agent: text,
  event: z.enum(EVENTS),
  nativeEvent: text,
  at: time.meta({ description: "By the machine's clock." }),
  ...inRepository,
  model: text.nullable(),
  tool: z.strictObject({ name: text, kind: z.enum(TOOL_KINDS) }).nullable(),
  subagent: text.nullable(),
  parent: text.nullable(),
  depth: count,
  late: z.boolean(),
  derived: z.boolean(),
  canary: z.boolean(),
  truncated: z.boolean(),
  payloadBytes: count,
  decision: z.enum(DECISION_NAMES).nullable(),
  decidedBy: z.array(text),
  hooks: z.array(hookRun),
  redaction: text,
  body: z
    .strictObject({
      prompt: long.nullable(),
      text: long.nullable(),
      command: long.nullable(),
      files: z.array(long),
      reason: long.nullable(),
      payload: z.unknown(),
    })
    .nullable(),
  withheld,
});

const turn = z.strictObject({
  id: text,
  number: count,
  startedAt: time,
  endedAt: time.nullable(),
  closed: text.nullable(),
  tools: count,
  denials: count,
  commits: count,
});

const session = z.strictObject({
  session: text,
  agent: text,
  ref: text.meta({ description: "The agent's own id of it." }),
  phase: text,
  startedAt: time,
  lastAt: time,
  endedAt: time.nullable(),
  ...inRepository,
  model: text.nullable(),
  parent: text.nullable(),
  depth: count,
  events: count,
  tools: count,
  denials: count,
  compactions: count,
  commits: count,
  turns: z.array(turn),
  body: z.strictObject({ prompts: z.record(text, long) }).nullable(),
  withheld,
});

const checkpoint = z.strictObject({
  id: text,
  did: z.enum(['created', 'restored', 'linked']),
  at: time,
  checkpoint: text,
  kind: text,
  commit: sha.nullable(),
  base: sha.nullable(),
  ref: text.nullable(),
  agent: text.nullable(),
  ...inRepository,
});

const push = z.strictObject({ id: text, at: time, repository, ref: text, oldSha: sha, newSha: sha, commits: z.array(sha) });

const tokens = z.strictObject({
  input: count,
  output: count,
  reasoning: count,
  cacheRead: count,
  cacheWrite: count,
  cacheWrite1h: count,
});
const usage = z.strictObject({
  session: text,
  agent: text,
  repository: repository.nullable(),
  at: time,
  models: z.array(z.strictObject({ model: text.nullable(), requests: count, tokens })),
});

const gap = z.strictObject({ reason: z.enum(['removed', 'store']), from: count, through: count, at: time });

const cloudEvent = <Type extends TeamRecordType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.strictObject({
    specversion: z.literal('1.0'),
    id: text.regex(/^[^/]+\/\d+$/).meta({ description: "The identity of the machine's store, and the number of the change." }),
    source: text.regex(/^urn:piton:machine:[\w-]+$/),
    type: z.literal(type),
    time,
    datacontenttype: z.literal('application/json'),
    pitonchange: text.regex(/^\d{1,15}$/).meta({ description: "The number of the change in the machine's store." }),
    data,
  });

const teamRecordSchema = z.discriminatedUnion('type', [
  cloudEvent('piton.event.v1', event),
  cloudEvent('piton.session.v1', session),
  cloudEvent('piton.checkpoint.v1', checkpoint),
  cloudEvent('piton.push.v1', push),
  cloudEvent('piton.usage.v1', usage),
  cloudEvent('piton.gap.v1', gap),
]);
export const teamBatchSchema = z.array(teamRecordSchema).max(MAX_TEAM_RECORDS);

const place = { scope: z.enum(['user', 'project']), repository: repository.nullable() };
export const teamInventorySchema = z.strictObject({
  at: time,
  piton: text,
  platform: text,
  agents: z.array(
    z.strictObject({
      agent: text,
      versions: z.array(text),
      registrations: z.array(z.strictObject({ ...place, state: z.enum(['there', 'changed', 'gone', 'unreadable']) })),
      canaryAt: time.nullable().meta({ description: 'When the last test event of `piton status` came through.' }),
    }),
  ),
  hooks: z.array(
    z.strictObject({
      hook: text,
      scope,
      repository: repository.nullable(),
      event: text,
      mode: z.enum(['enforce', 'shadow', 'observe', 'off']),
      digest: digest.nullable(),
    }),
  ),
  mcpServers: z.array(z.strictObject({ agent: text, ...place, hash: digest })),
  guard: z.strictObject({ builtIn: z.enum(['deny', 'ask', 'off']), lifted: z.boolean() }),
});
