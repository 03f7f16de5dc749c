import * as z from 'zod';
import { EVENTS, PITON_EVENTS, spellingsOf, TOOL_KINDS } from '../events.ts';

/** Every accepted spelling, so that an editor completes the canonical name and accepts the others. */
const pitonEventNames = PITON_EVENTS.flatMap((name) => [name, name.replaceAll('-', '_')]);
const eventName = z.enum([...EVENTS.flatMap(spellingsOf), ...pitonEventNames] as [string, ...string[]]);
const timeout = z.union([z.number().positive().max(600), z.string().regex(/^\s*\d+(\.\d+)?\s*(ms|s|m)\s*$/)]);

const kind = z.enum(TOOL_KINDS);
const patterns = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/** Unlike elsewhere an unknown key is refused: a condition without effect would let a hook run where it must not. */
const whenSchema = z.strictObject({
  kind: z
    .union([kind, z.array(kind).min(1)])
    .exactOptional()
    .meta({ description: 'What the tool is.' }),
  command: patterns.exactOptional().meta({ description: 'What a shell tool runs: a text, a glob, A|B, or /a regular expression/.' }),
  file: patterns.exactOptional().meta({ description: 'A file that the tool reads or writes.' }),
  source: patterns.exactOptional().meta({ description: 'Why a session started or ended, or a compaction began.' }),
  input: z.record(z.string(), patterns).exactOptional().meta({ description: "Fields of the tool's input." }),
});

const texts = z.array(z.string().min(1));

/** What settings and artifacts call the same. */
const common = {
  module: z.string().min(1).exactOptional().meta({
    description: 'Instead of a command: a JavaScript file, found from this one, whose default export is run in a warm process.',
  }),
  name: z.string().min(1).exactOptional().meta({ description: 'By which it is trusted and traced. Default: its event and position.' }),
  description: z.string().exactOptional(),
  matcher: z
    .string()
    .exactOptional()
    .meta({ description: 'Tool events only: a portable tool name, a glob, A|B, or /a regular expression/. Default: every tool.' }),
  when: whenSchema.exactOptional().meta({ description: 'More conditions. Every one must hold.' }),
  timeout: timeout
    .exactOptional()
    .meta({ description: 'Seconds, or text such as "500ms". A cap inside the budget of the event. Default: 30.' }),
  inject_output: z.boolean().exactOptional().meta({ description: 'true: plain output becomes context on any event; false: on none.' }),
  enabled: z.boolean().exactOptional().meta({ description: 'Default: true.' }),
  mode: z
    .enum(['enforce', 'shadow'])
    .exactOptional()
    .meta({ description: 'shadow: it runs after the answer, is recorded, and decides nothing.' }),
  observe: z.boolean().exactOptional().meta({ description: 'It only watches, and runs after the answer.' }),
  group: z.string().min(1).exactOptional().meta({ description: 'Hooks that only watch and share a group may run at the same time.' }),
  fail_closed: z.boolean().exactOptional().meta({ description: 'A policy: where it cannot run or cannot be read, the action is denied.' }),
  target_harnesses: texts.exactOptional().meta({ description: 'The agents in which it runs. Default: all.' }),
  runtime_requirements: z
    .looseObject({ system_packages: texts.exactOptional().meta({ description: 'Programs that must be on PATH.' }) })
    .exactOptional()
    .meta({ description: 'Without these it does not run.' }),
  sandbox_profile: z.enum(['none', 'read-only', 'no-network', 'strict']).exactOptional().meta({
    description: 'How it is confined. Where that cannot be kept, it does not run. Default: none.',
  }),
  sensitivity: z.enum(['low', 'medium', 'high']).exactOptional().meta({ description: 'How much harm it could do.' }),
  tags: texts.exactOptional(),
  wants: z
    .enum(['portable', 'native'])
    .exactOptional()
    .meta({ description: "native: it reads the agent's own payload, and its answer goes to the agent as it is." }),
};

/** Unknown keys pass: a newer Piton's settings must not break an older one. */
const hookSchema = z.looseObject({
  event: eventName.meta({ description: 'The event on which it runs.' }),
  command: z.string().min(1).exactOptional().meta({ description: "Run by `/bin/sh -c` in the event's working directory." }),
  ...common,
});

const eitherOf = (...names: readonly string[]) => ({ anyOf: names.map((name) => ({ properties: { [name]: {} }, required: [name] })) });

const hookEntry = hookSchema.meta(eitherOf('command', 'module'));

/** The head of an ARTIFACT.md. */
export const artifactSchema = z
  .looseObject({
    type: z.literal('hook'),
    version: z.string().regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/),
    hook_event: eventName.meta({ description: 'The event on which it runs.' }),
    hook_action: z.string().min(1).exactOptional().meta({
      description: "Shell, one line or many, run in the event's working directory; a word that begins with something bundled finds it.",
    }),
    ...common,
  })
  .meta(eitherOf('hook_action', 'module'));

const redactSchema = z.looseObject({
  rules: z
    .array(
      z.looseObject({
        name: z
          .string()
          .regex(/^[a-z][a-z0-9-]{0,31}$/)
          .meta({ description: 'Stands in the placeholder: [redacted:<name>:…].' }),
        pattern: z
          .string()
          .min(1)
          .max(256)
          .meta({ description: 'A regular expression. If it has a group, only what the first one matched is taken out.' }),
      }),
    )
    .max(100)
    .exactOptional()
    .meta({ description: 'What is secret with you, besides what Piton knows.' }),
  allow: z
    .array(z.string().min(1))
    .max(100)
    .exactOptional()
    .meta({ description: 'What is no secret though it looks like one: the text itself, or /a pattern/ for all of it.' }),
  personal: z
    .array(z.enum(['email', 'phone', 'address']))
    .max(3)
    .exactOptional()
    .meta({ description: 'Personal data to replace as well. None by default.' }),
});

const checkpointsSchema = z.looseObject({
  strategy: z.enum(['manual-commit', 'auto-commit']).exactOptional().meta({
    description:
      'manual-commit: your branch is never touched. auto-commit: a commit on it at the end of each turn. Default: manual-commit.',
  }),
  trailer: z.enum(['agent-work', 'always', 'ask', 'never']).exactOptional().meta({
    description:
      'Which commits get a line Piton-Checkpoint. ask: as a comment in the editor, for you to take up. Default: agent-work, those that hold work of agents.',
  }),
  identity: z
    .string()
    .regex(/^[^<>]*[^<>\s]\s*<[^<>\s]+>$/)
    .exactOptional()
    .meta({ description: 'Who makes the commits of auto-commit. Default: Piton <piton@localhost>.' }),
});

const dollars = z.number().nonnegative();
const pricesSchema = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: dollars.exactOptional(),
  cacheWrite: dollars.exactOptional(),
  cacheWrite1h: dollars.exactOptional(),
});

const mcpSchema = z.looseObject({
  repositories: z.enum(['this', 'all']).exactOptional().meta({
    description: 'What agents may read through `piton mcp`: the history of the repository they work in, or of all. Default: this.',
  }),
});

export const settingsSchema = z.looseObject({
  $schema: z.string().exactOptional(),
  hooks_enabled: z
    .boolean()
    .exactOptional()
    .meta({ description: 'false stops every hook of this scope. Recording goes on. Default: true.' }),
  post_commit_wait: z
    .union([z.number().min(0).max(4), z.string().regex(/^\s*\d+(\.\d+)?\s*(ms|s)\s*$/)])
    .exactOptional()
    .meta({
      description:
        'Only in the user\'s own settings. How long `git commit` waits for subscriptions to its checkpoint: seconds, or text such as "500ms", up to 4 s; 0 does not wait. Default: 2.',
    }),
  context: z.enum(['short', 'full', 'off']).exactOptional().meta({
    description:
      'What a new session is given of what was recorded here: short, at most 300 tokens; full, with the structure of the repository, at most 1,000; off. It also counts for what is kept across a compaction. Default: short.',
  }),
  context_template: z.string().max(800).exactOptional().meta({
    description: "Only in the user's own settings: your words around it. {facts} stands for what was recorded.",
  }),
  handoff_minutes: z.number().min(0).max(1440).exactOptional().meta({
    description: "Only in the user's own settings: how many minutes after one recorded handoff of a session the next may come. Default: 3.",
  }),
  guard: z.enum(['deny', 'ask', 'off']).exactOptional().meta({
    description: "Only in the user's own settings: what happens when an agent would change Piton's own files. Default: deny.",
  }),
  redact: redactSchema.exactOptional().meta({ description: "Only in the user's own settings: a repository must not weaken it." }),
  prices: z.record(z.string(), pricesSchema).exactOptional().meta({
    description: "Only in the user's own settings: dollars for a million tokens, by the name of the model. They go before the list prices.",
  }),
  mcp: mcpSchema.exactOptional().meta({ description: "Only in the user's own settings: a repository must not open the others." }),
  checkpoints: checkpointsSchema.exactOptional().meta({ description: 'In user, project and local settings; the nearer one wins.' }),
  hooks: z.array(hookEntry).exactOptional().meta({ description: 'In the order in which they run.' }),
});
