import * as z from 'zod';
import { EXPORT_VERSION } from '../export.ts';

const text = z.string();
const list = z.array(text);
const count = z.int().nonnegative();
const time = z.iso.datetime();

const tokens = z.strictObject({
  input: count.meta({ description: 'What was read and no cache had.' }),
  output: count,
  reasoning: count.meta({ description: 'The part of output that the agent says was reasoning.' }),
  cacheRead: count,
  cacheWrite: count,
  cacheWrite1h: count.meta({ description: 'The part of cacheWrite that is kept for an hour.' }),
});
const cost = z
  .strictObject({
    usd: z.number().nonnegative().nullable(),
    unpriced: count,
    unpricedModels: z.array(text.nullable()),
    listPricesOf: text.regex(/^\d{4}-\d\d-\d\d$/),
  })
  .nullable()
  .meta({ description: 'By public list prices of that day, not a bill. Requests without a price are counted, not guessed.' });
const lines = z.strictObject({ agent: count, human: count, shared: count, removed: count });

const commit = z.strictObject({
  sha: text.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
  subject: text,
  at: time,
  lines,
  binaryFiles: count,
  checkpoints: list,
  sessions: list.meta({ description: "The agents' own ids." }),
});

const tool = z.strictObject({
  at: time,
  name: text,
  kind: text,
  command: text.nullable(),
  files: list,
  subagent: z.boolean(),
  failed: z.boolean(),
  denied: text.nullable().meta({ description: 'Why it was not done.' }),
  input: text.nullable().meta({ description: 'Its whole input, as JSON text; only with --full.' }),
});

const checkpoint = z.strictObject({ id: text, kind: text, name: text, at: time, commit: text.nullable() });

const turn = z.strictObject({
  number: count,
  prompt: text.nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  tools: z.array(tool),
  files: list,
  answer: text.nullable().meta({ description: 'The last thing that the agent said in it.' }),
  tokens: tokens.nullable(),
  checkpoints: z.array(checkpoint),
});

const session = z.strictObject({
  id: text,
  agent: text,
  title: text,
  providerRef: text.meta({ description: "The agent's own id of it." }),
  model: text.nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  usage: z.array(z.strictObject({ model: text.nullable(), requests: count, tokens })),
  cost,
  files: list,
  turns: z.array(turn),
  notes: list.meta({ description: 'What is missing, and why.' }),
});

export const exportSchema = z.strictObject({
  schemaVersion: z.literal(EXPORT_VERSION),
  piton: text.meta({ description: 'The Piton that wrote it.' }),
  createdAt: time,
  target: z.strictObject({
    kind: z.enum(['branch', 'commit', 'checkpoint', 'session']),
    name: text,
    base: text.nullable().meta({ description: 'What a branch is compared with.' }),
    repository: text.nullable(),
  }),
  totals: z.strictObject({
    sessions: count,
    turns: count,
    tools: count,
    denials: count,
    files: count,
    lines: lines.nullable(),
    tokens: tokens.nullable(),
    cost,
  }),
  commits: z.array(commit),
  sessions: z.array(session),
});
