import * as z from 'zod';
import { DECISION_NAMES, type DecisionName, type DecisionOf, VERDICTS } from '../decision.ts';
import { EVENTS, type PitonEventName, parseEventName, TOOL_KINDS } from '../events.ts';
import { EXPORT_VERSION } from '../export.ts';
import type { Envelope } from '../wire/envelope.ts';
import { ENVELOPE_VERSION } from '../wire/envelope.ts';
import { FRAME_VERSION } from '../wire/frame.ts';
import { upgradeEnvelope } from '../wire/upgrade.ts';
import { exportSchema } from './export-schema.ts';
import { RUN_FAILURES, SCOPES, SKIP_REASONS } from './outcome-words.ts';
import { artifactSchema, settingsSchema } from './settings-schema.ts';
import { teamBatchSchema, teamInventorySchema } from './team-schema.ts';

export { teamBatchSchema, teamInventorySchema } from './team-schema.ts';
export { exportSchema, settingsSchema };

/**
 * The contracts as zod schemas, for whoever takes values from outside. Loading zod takes tens of milliseconds:
 * nothing on an agent's path imports this file.
 */
const text = z.string();
const event = z.enum(EVENTS);
const jsonObject = z.record(text, z.unknown());
const absolutePath = text.regex(/^(\/|[A-Za-z]:[\\/]|\\\\)/, 'must be an absolute path');
const count = z.int().nonnegative();

export const envelopeSchema = z.strictObject({
  schemaVersion: z.literal(ENVELOPE_VERSION).meta({ description: 'The version of this wrapper.' }),
  provider: text.min(1).meta({ description: "The agent's id." }),
  event: event.meta({ description: 'The canonical event.' }),
  providerRef: text.meta({ description: "The agent's own session id, opaque; empty if it sends none." }),
  projectPath: absolutePath.meta({ description: 'The working directory of the event.' }),
  receivedAt: z.iso.datetime().meta({ description: "When, in UTC, by the forwarder's clock." }),
  payload: z.unknown().meta({ description: "The agent's own JSON." }),
});

const DECISION_SHAPES = {
  observe: z.strictObject({ decision: z.literal('observe') }),
  replace: z.strictObject({ decision: z.literal('replace'), content: text }),
  allow: z.strictObject({ decision: z.literal('allow'), reason: text.exactOptional() }),
  ask: z.strictObject({ decision: z.literal('ask'), reason: text }),
  deny: z.strictObject({ decision: z.literal('deny'), reason: text }),
  modify: z.strictObject({ decision: z.literal('modify'), input: jsonObject, reason: text.exactOptional() }),
  rewrite: z.strictObject({ decision: z.literal('rewrite'), output: z.unknown() }),
  continue: z.strictObject({ decision: z.literal('continue'), reason: text }),
} satisfies { [Name in DecisionName]: z.ZodType<DecisionOf<Name>> };
type DecisionShape = (typeof DECISION_SHAPES)[keyof typeof DECISION_SHAPES];

export const decisionSchema = z.discriminatedUnion('decision', Object.values(DECISION_SHAPES) as [DecisionShape, ...DecisionShape[]]);

export const reducedSchema = z.strictObject({
  decision: z.enum(DECISION_NAMES),
  verdict: z.enum(VERDICTS),
  reason: text.exactOptional(),
  input: jsonObject.exactOptional(),
  output: z.unknown().exactOptional(),
  content: text.exactOptional(),
  continue: text.exactOptional(),
  userMessage: text.exactOptional(),
  endRun: z.boolean().exactOptional(),
});

export const capabilitySchema = z.discriminatedUnion('how', [
  z.strictObject({ how: z.literal('now') }),
  z.strictObject({ how: z.literal('deferred'), until: text }),
  z.strictObject({ how: z.literal('degraded'), becomes: text }),
  z.strictObject({ how: z.literal('none') }),
]);

const considered = { hook: text, scope: z.enum(SCOPES), event };

export const traceEntrySchema = z.discriminatedUnion('did', [
  z.strictObject({
    ...considered,
    did: z.literal('skipped'),
    why: z.enum(SKIP_REASONS),
    note: text.exactOptional(),
  }),
  z.strictObject({
    ...considered,
    did: z.literal('ran'),
    exitCode: z.int(),
    startedUs: z.int().min(0).exactOptional().meta({ description: 'Microseconds since the event happened; absent in older records.' }),
    durationMs: z.number(),
    timedOut: z.enum(['hook', 'budget']).exactOptional(),
    failed: z.enum(RUN_FAILURES).exactOptional(),
    note: text.exactOptional(),
    said: decisionSchema,
    stdout: text,
    stderr: text,
    truncated: z.boolean().exactOptional(),
    observed: z.boolean().exactOptional(),
  }),
]);

export const outcomeSchema = z.strictObject({
  decision: reducedSchema,
  trace: z.array(traceEntrySchema),
  delivered: z.array(
    z.strictObject({
      decision: z.enum(DECISION_NAMES).exclude(['observe']),
      how: z.enum(['now', 'deferred', 'degraded', 'none']),
      note: text.exactOptional(),
    }),
  ),
  unmatched: z.int().min(1).exactOptional(),
});

/** What a hook reads on stdin: these fields always, and Claude Code's own beside them. */
export const payloadSchema = z.looseObject({
  session_id: text,
  cwd: text,
  hook_event_name: text,
  piton: z.strictObject({
    event,
    agent: text,
    event_id: text,
    tool: z
      .strictObject({
        kind: z.enum(TOOL_KINDS),
        command: text.exactOptional(),
        files: z.array(text),
        resolved: z.array(text.nullable()).exactOptional(),
      })
      .exactOptional(),
    repo: text.nullable(),
    branch: text.nullable(),
    transcript_format: text.nullable(),
    derived: z.literal(true).exactOptional(),
    native: z.unknown(),
  }),
});

const pitonEvent = <Name extends PitonEventName>(name: Name) => ({
  event: z.literal(name),
  id: z.ulid().meta({ description: 'The same where an event is delivered again after a crash.' }),
  time: z.iso.datetime(),
  checkpoint_id: text.nullable(),
  commit_sha: text.nullable().meta({ description: "The user's commit." }),
  session_id: text.nullable().meta({ description: "The agent's own id of the session." }),
  agent: text.nullable(),
  branch: text.nullable(),
  repo: text.nullable().meta({ description: 'The root of the repository.' }),
});
const aboutCheckpoint = {
  checkpoint_id: text,
  kind: text,
  base_sha: text.nullable().meta({ description: 'HEAD when the checkpoint was taken.' }),
  name: text,
};
const aboutHook = { hook_event: text.meta({ description: 'The event on which the hook ran.' }), event_id: text };

/** What a subscription reads on stdin. */
export const pitonEventSchema = z.discriminatedUnion('event', [
  z.strictObject({ ...pitonEvent('checkpoint-created'), ...aboutCheckpoint }),
  z.strictObject({
    ...pitonEvent('checkpoint-restored'),
    ...aboutCheckpoint,
    undo_id: text.meta({ description: 'The checkpoint of what was there before.' }),
  }),
  z.strictObject({ ...pitonEvent('session-started'), source: text.nullable() }),
  z.strictObject({ ...pitonEvent('session-ended'), reason: text.nullable() }),
  z.strictObject({ ...pitonEvent('commit-linked'), ...aboutCheckpoint, commit_sha: text }),
  z.strictObject({ ...pitonEvent('hook-failed'), ...aboutHook, hook: text, failed: z.enum(RUN_FAILURES), reason: text }),
  z.strictObject({
    ...pitonEvent('decision-denied'),
    ...aboutHook,
    decision: z.enum(['deny', 'ask']).meta({ description: 'ask: there was nobody to answer.' }),
    reason: text,
    tool: text.nullable(),
    hook: text.nullable(),
  }),
  z.strictObject({
    ...pitonEvent('history-read'),
    tool: text.meta({ description: 'The tool of `piton mcp` that an agent called.' }),
    input: text.meta({ description: 'What it asked for, as JSON, cut.' }),
    results: count,
    characters: count,
    failed: text.nullable().meta({ description: 'Why it got nothing.' }),
  }),
]);

/** A frame without its payload, as JSON: how `events show` and bug reports write it down. */
export const frameSchema = z.strictObject({
  agent: text.min(1),
  nativeEvent: text.min(1),
  scope: text,
  timeoutMs: count,
  args: z.array(text),
  stamp: z.ulid(),
  bootId: text,
  wallUs: count,
  monotonicUs: count,
  pid: count,
  ppid: count,
  depth: count,
  run: text,
  cwd: text,
  terminal: z.boolean(),
  truncated: z.boolean(),
  resent: z.boolean(),
  variables: z.record(text, text),
  sender: text,
  canary: text,
  payloadSize: count,
});

/** By the name that `piton schema` takes. */
const PUBLISHED = {
  artifact: { schema: artifactSchema, version: 1, title: 'The head of an ARTIFACT.md' },
  capability: { schema: capabilitySchema, version: 1, title: 'How a decision gets to an agent on an event' },
  decision: { schema: decisionSchema, version: 1, title: 'What a hook may answer' },
  envelope: { schema: envelopeSchema, version: ENVELOPE_VERSION, title: 'The wrapper around a native payload' },
  export: { schema: exportSchema, version: EXPORT_VERSION, title: 'What `piton export --format json` writes' },
  frame: { schema: frameSchema, version: FRAME_VERSION, title: "A frame's header" },
  outcome: { schema: outcomeSchema, version: 1, title: 'What was decided on an event, and why' },
  'own-event': { schema: pitonEventSchema, version: 1, title: 'What a subscription reads on stdin' },
  payload: { schema: payloadSchema, version: 1, title: 'What a hook reads on stdin' },
  reduced: { schema: reducedSchema, version: 1, title: 'All decisions of one event put together' },
  settings: { schema: settingsSchema, version: 1, title: 'settings.json' },
  'team-batch': { schema: teamBatchSchema, version: 1, title: 'What a machine uploads to a team server: CloudEvents, at most 500' },
  'team-inventory': { schema: teamInventorySchema, version: 1, title: 'What is in force on a machine of a team' },
} as const;

export type SchemaName = keyof typeof PUBLISHED;

type JsonSchema = Readonly<Record<string, unknown>>;

function jsonSchema(name: SchemaName): JsonSchema {
  const { schema, version, title } = PUBLISHED[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return { $schema, $id: `urn:piton:schema:${name}:${version}`, title, ...rest };
}

/** JSON Schema 2020-12, by name. The files in `schemas/` are these, written down. */
export const SCHEMAS = Object.fromEntries(Object.keys(PUBLISHED).map((name) => [name, jsonSchema(name as SchemaName)])) as Readonly<
  Record<SchemaName, JsonSchema>
>;

export type EnvelopeResult =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly problem: 'newer' | 'malformed'; readonly error: string };

/** Takes an envelope from outside: of any release up to this one, with any accepted spelling of its event. */
export function parseEnvelope(value: unknown): EnvelopeResult {
  const upgraded = upgradeEnvelope(value);
  if (!upgraded.ok) return upgraded;
  const named = typeof upgraded.value.event === 'string' ? parseEventName(upgraded.value.event) : undefined;
  const parsed = envelopeSchema.safeParse(named === undefined ? upgraded.value : { ...upgraded.value, event: named });
  if (parsed.success) return { ok: true, envelope: parsed.data };
  const error = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'envelope'}: ${issue.message}`).join('; ');
  return { ok: false, problem: 'malformed', error };
}
