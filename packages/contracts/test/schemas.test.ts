import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { Capability, Decision, Envelope, ExportDocument, Frame, Outcome, PitonEvent, PortablePayload, Reduced } from '../src/index.ts';
import {
  capabilitySchema,
  decisionSchema,
  type envelopeSchema,
  type exportSchema,
  type frameSchema,
  outcomeSchema,
  parseEnvelope,
  payloadSchema,
  type pitonEventSchema,
  type reducedSchema,
  SCHEMAS,
  type SchemaName,
  type teamBatchSchema,
  type teamInventorySchema,
} from '../src/schemas/schemas.ts';
import type { TeamCloudEvent, TeamInventory } from '../src/team/index.ts';

type Writable<T> = T extends readonly (infer Item)[]
  ? Writable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Writable<T[Key]> }
    : T;
type Mutual<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Same<A, B> = Mutual<Writable<A>, Writable<B>>;
type FrameHeader = Omit<Frame, 'payload' | 'wallUs' | 'monotonicUs'> & { readonly wallUs: number; readonly monotonicUs: number };

/** The compiler is the test here: a schema that drifts from its type makes one of these false. */
const sameAsTheTypes: {
  envelope: Same<z.infer<typeof envelopeSchema>, Envelope>;
  decision: Same<z.infer<typeof decisionSchema>, Decision>;
  reduced: Same<z.infer<typeof reducedSchema>, Reduced>;
  capability: Same<z.infer<typeof capabilitySchema>, Capability>;
  outcome: Same<z.infer<typeof outcomeSchema>, Outcome>;
  pitonEvent: Same<z.infer<typeof pitonEventSchema>, PitonEvent>;
  payload: Same<z.infer<typeof payloadSchema>, PortablePayload>;
  frame: Same<z.infer<typeof frameSchema>, FrameHeader>;
  export: Same<z.infer<typeof exportSchema>, ExportDocument>;
  teamBatch: Same<z.infer<typeof teamBatchSchema>, readonly TeamCloudEvent[]>;
  teamInventory: Same<z.infer<typeof teamInventorySchema>, TeamInventory>;
} = {
  ...{ envelope: true, decision: true, reduced: true, capability: true, outcome: true },
  ...{ pitonEvent: true, payload: true, frame: true, export: true, teamBatch: true, teamInventory: true },
};

const envelope: Envelope = {
  schemaVersion: 1,
  provider: 'claude',
  event: 'pre_tool_use',
  providerRef: '',
  projectPath: '/home/sam/project',
  receivedAt: '2026-11-15T18:40:00.123Z',
  payload: null,
};
const FIELDS = ['schemaVersion', 'provider', 'event', 'providerRef', 'projectPath', 'receivedAt', 'payload'];

/** An independent reader of the published files: what it says must be what zod says. */
const ajv = new Ajv2020({ allErrors: true, strict: true, formats: { 'date-time': true, ulid: true } });
const published = (name: SchemaName): ((value: unknown) => boolean) => {
  const text = readFileSync(new URL(`../schemas/${name}.json`, import.meta.url), 'utf8');
  const schema = JSON.parse(text) as { $id: string };
  return (ajv.getSchema(schema.$id) ?? ajv.compile(schema)) as (value: unknown) => boolean;
};

describe('the published schemas', () => {
  it('have the shape of the types they describe', () => {
    expect(Object.values(sameAsTheTypes).every(Boolean)).toBe(true);
  });

  it('are all there, of JSON Schema 2020-12, each with an id of its own', () => {
    const files = readdirSync(new URL('../schemas/', import.meta.url)).sort();
    expect(files).toEqual(Object.keys(SCHEMAS).map((name) => `${name}.json`));
    expect(new Set(Object.values(SCHEMAS).map((schema) => schema.$id)).size).toBe(files.length);
    for (const schema of Object.values(SCHEMAS)) expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });
});

describe('an envelope', () => {
  it('has exactly seven fields', () => {
    expect(SCHEMAS.envelope.required).toEqual(FIELDS);
    expect(Object.keys(SCHEMAS.envelope.properties as object)).toEqual(FIELDS);
    expect(published('envelope')(envelope)).toBe(true);
    expect(parseEnvelope(envelope)).toEqual({ ok: true, envelope });
  });

  it.each(FIELDS)('is refused without %s', (field) => {
    const { [field]: _, ...rest } = { ...envelope } as Record<string, unknown>;
    expect(parseEnvelope(rest)).toMatchObject({ ok: false, problem: 'malformed', error: expect.stringContaining(field) });
    expect(published('envelope')(rest)).toBe(false);
  });

  it.each([
    ['an eighth field', { extra: 1 }],
    ['a relative path', { projectPath: 'sam/project' }],
    ['a time that is not UTC', { receivedAt: '2026-11-15T18:40:00+01:00' }],
    ['a time that is none', { receivedAt: 'yesterday' }],
    ['an unknown event', { event: 'pre_breakfast' }],
    ['an event named like a property of every object', { event: 'constructor' }],
    ['no agent', { provider: '' }],
    ['a session id that is a number', { providerRef: 7 }],
    ['version 0', { schemaVersion: 0 }],
    ['version 1.5', { schemaVersion: 1.5 }],
    ['version "1"', { schemaVersion: '1' }],
  ])('is refused with %s', (_, change) => {
    const wrong = { ...envelope, ...change };
    expect(parseEnvelope(wrong)).toMatchObject({ ok: false, problem: 'malformed' });
    expect(published('envelope')(wrong)).toBe(false);
  });

  it.each([
    ['pre-tool-use', 'pre_tool_use'],
    ['pre_prompt', 'user_prompt_submit'],
    ['post-response', 'stop'],
    ['context_compact', 'pre_compact'],
  ])('may spell its event %s', (spelling, event) => {
    expect(parseEnvelope({ ...envelope, event: spelling })).toMatchObject({ ok: true, envelope: { event } });
  });

  it('of a newer release gets a word that says so', () => {
    expect(parseEnvelope({ ...envelope, schemaVersion: 2, brandNew: true })).toEqual({
      ok: false,
      problem: 'newer',
      error: 'envelope version 2 is newer than this server, which reads up to 1: upgrade Piton',
    });
  });

  it.each([[null], [undefined], ['text'], [7], [[]]])('is not %j', (value) => {
    expect(parseEnvelope(value)).toMatchObject({ ok: false, problem: 'malformed' });
  });

  it('carries any payload, a Windows path and a session id of any text', () => {
    for (const payload of [null, 0, '', [], { nested: { deep: [1] } }]) expect(parseEnvelope({ ...envelope, payload }).ok).toBe(true);
    expect(parseEnvelope({ ...envelope, projectPath: 'C:\\project', providerRef: 'π' }).ok).toBe(true);
  });
});

describe('a decision', () => {
  const right: Decision[] = [
    { decision: 'observe' },
    { decision: 'replace', content: 'text' },
    { decision: 'allow' },
    { decision: 'allow', reason: 'fine' },
    { decision: 'ask', reason: 'sure?' },
    { decision: 'deny', reason: 'no' },
    { decision: 'modify', input: { command: 'ls' } },
    { decision: 'rewrite', output: null },
    { decision: 'continue', reason: 'tests fail' },
  ];
  const wrong = [
    { decision: 'deny' },
    { decision: 'ask' },
    { decision: 'replace' },
    { decision: 'modify', input: 'ls' },
    { decision: 'modify', input: [] },
    { decision: 'rewrite' },
    { decision: 'observe', reason: 'nothing' },
    { decision: 'block', reason: 'no' },
    {},
    'deny',
  ];

  it.each(right)('may be %j', (decision) => {
    expect(decisionSchema.safeParse(decision).success).toBe(true);
    expect(published('decision')(decision)).toBe(true);
  });

  it.each(wrong)('is not %j', (value) => {
    expect(decisionSchema.safeParse(value).success).toBe(false);
    expect(published('decision')(value)).toBe(false);
  });
});

describe('settings.json', () => {
  const valid = published('settings');

  it('may hold keys that this release does not know', () => {
    expect(valid({ hooks_enabled: false, from_next_year: 1, hooks: [{ event: 'stop', command: 'true', also_new: [] }] })).toBe(true);
  });

  it('takes every spelling of an event', () => {
    for (const event of ['stop', 'pre-tool-use', 'pre_prompt', 'context-compact'])
      expect(valid({ hooks: [{ event, command: 'true' }] })).toBe(true);
  });

  it.each([
    { hooks_enabled: 'yes' },
    { hooks: {} },
    { hooks: [{ command: 'true' }] },
    { hooks: [{ event: 'stop' }] },
    { hooks: [{ event: 'breakfast', command: 'true' }] },
  ])('is not %j', (settings) => {
    expect(valid(settings)).toBe(false);
  });
});

describe('a capability, an outcome and a payload', () => {
  it('say how a decision gets there', () => {
    expect(capabilitySchema.safeParse({ how: 'deferred', until: 'the next prompt' }).success).toBe(true);
    expect(capabilitySchema.safeParse({ how: 'deferred' }).success).toBe(false);
    expect(published('capability')({ how: 'perhaps' })).toBe(false);
  });

  it('say what ran and what did not', () => {
    const outcome: Outcome = {
      decision: { decision: 'deny', verdict: 'deny', reason: 'no' },
      trace: [
        { hook: 'a', scope: 'user', event: 'stop', did: 'skipped', why: 'no-match' },
        {
          hook: 'b',
          scope: 'project',
          event: 'stop',
          did: 'ran',
          exitCode: 2,
          durationMs: 1.5,
          said: { decision: 'deny', reason: 'no' },
          stdout: '',
          stderr: 'no',
        },
      ],
      delivered: [{ decision: 'deny', how: 'now' }],
    };
    expect(outcomeSchema.safeParse(outcome).success).toBe(true);
    expect(published('outcome')(outcome)).toBe(true);
    const [skipped, ran] = outcome.trace;
    expect(published('outcome')({ ...outcome, trace: [skipped, { ...ran, startedUs: 400 }] })).toBe(true);
    expect(published('outcome')({ ...outcome, trace: [skipped, { ...ran, startedUs: -1 }] })).toBe(false);
    expect(published('outcome')({ ...outcome, delivered: [{ decision: 'observe', how: 'now' }] })).toBe(false);
    expect(published('reduced')(outcome.decision)).toBe(true);
  });

  it("let Claude Code's own fields pass beside the piton block", () => {
    const payload: PortablePayload = {
      session_id: 's',
      cwd: '/w',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      piton: { event: 'pre_tool_use', agent: 'claude', event_id: 'e', repo: null, branch: null, transcript_format: null, native: {} },
    };
    expect(payloadSchema.safeParse(payload).success).toBe(true);
    expect(published('payload')(payload)).toBe(true);
    const { piton: _, ...without } = payload;
    expect(published('payload')(without)).toBe(false);
  });
});
