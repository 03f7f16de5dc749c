import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContextLimit, contextLimitOf, isOverLimit, type JsonObject, OBSERVE, type Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { claude } from '../../src/claude/index.ts';
import type { ClaudeAnswer, ClaudeSpecific } from './answer-reader.ts';
import { documented, FIXTURES } from './fixtures.ts';

const decode = (sample: string) => claude.decode(documented(sample), { nativeEvent: sample.split('.')[0] ?? '', cwd: '/', variables: {} });
const encode = (sample: string, decision: Partial<Reduced>, attended = true) =>
  claude.encode(decode(sample), { decision: 'observe', verdict: 'observe', ...decision }, { attended });
const json = (sample: string, decision: Partial<Reduced>, attended = true): ClaudeAnswer =>
  JSON.parse(encode(sample, decision, attended).answer.stdout);

/** Without what is undefined. */
const known = <Fields extends object>(fields: Fields) => JSON.parse(JSON.stringify(fields)) as Partial<Reduced>;

const deny = { decision: 'deny', verdict: 'deny', reason: 'no' } as const;
const ask = { decision: 'ask', verdict: 'ask', reason: 'sure?' } as const;
const allow = { decision: 'allow', verdict: 'allow', reason: 'fine' } as const;
const modify = { decision: 'modify', input: { command: 'true' } } as const;
const rewrite = { decision: 'rewrite', output: 'new output' } as const;
const replace = { decision: 'replace', content: 'context' } as const;
const goOn = { decision: 'continue', continue: 'tests have not run' } as const;

describe('the answers as a whole', () => {
  const singles: Record<string, Partial<Reduced>> = { observe: OBSERVE, deny, ask, allow, modify, rewrite, replace, continue: goOn };
  const combined: Record<string, Partial<Reduced>> = {
    'deny + replace': { ...deny, content: 'context' },
    'deny + modify': { ...deny, input: { command: 'true' } },
    'deny + end of run': { ...deny, endRun: true },
    'ask + modify + replace': { ...ask, input: { command: 'true' }, content: 'context' },
    'allow + modify': { ...allow, input: { command: 'true' } },
    'rewrite + replace': { ...rewrite, content: 'context' },
    'continue + end of run': { ...goOn, verdict: 'deny', reason: 'no', endRun: true },
    'message to the person': { userMessage: 'look' },
  };
  const show = (name: string, kind: string, decision: Partial<Reduced>, attended: boolean) => {
    const { answer, delivered, deferred } = encode(name, decision, attended);
    const how = delivered.map((part) => `${part.decision} ${part.how}`).join(', ');
    return `${name} | ${kind}${attended ? '' : ', nobody there'} | ${answer.stdout || '(nothing)'} | ${how}${deferred === undefined ? '' : ` | kept: ${deferred}`}`;
  };

  it('are those of the golden file, for every decision on every event', async () => {
    const lines = claude.events.flatMap(({ name, event }) => {
      if (event === 'other') return [show(name, 'observe', OBSERVE, true), show(name, 'deny', deny, true)];
      const all = Object.entries({ ...singles, ...combined }).map(([kind, decision]) => show(name, kind, decision, true));
      return [...all, show(name, 'ask', ask, false)];
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(FIXTURES, 'answers/golden.txt'));
  });

  const INTENTS: Record<string, (stdout: ClaudeAnswer, specific: Partial<ClaudeSpecific>) => Partial<Reduced>> = {
    deny: ({ reason }, specific) => ({
      ...deny,
      ...known({ reason: reason ?? specific.permissionDecisionReason ?? specific.decision?.message }),
    }),
    allow: (_, { permissionDecisionReason }) => ({ verdict: 'allow', ...known({ reason: permissionDecisionReason }) }),
    ask: (_, { permissionDecisionReason }) => ({ verdict: 'ask', ...known({ reason: permissionDecisionReason }) }),
    inject_context: (_, { additionalContext }) => known({ content: additionalContext }),
    replace_output: (_, { updatedToolOutput }) => ({ output: updatedToolOutput }),
    feedback: ({ reason }) => ({ ...deny, ...known({ reason }) }),
    continue_working: ({ reason }) => known({ continue: reason }),
    modify_input: (_, { decision, updatedInput }) => ({
      verdict: 'allow',
      ...known({ input: (decision ?? { updatedInput }).updatedInput }),
    }),
  };
  const recipes: { event: string; intent: string; stdout: ClaudeAnswer }[] = JSON.parse(
    readFileSync(join(FIXTURES, 'answers/documented.json'), 'utf8'),
  );
  const heard = recipes.filter(
    ({ event, intent, stdout }) =>
      intent in INTENTS && (claude.capabilities as JsonObject)[decodeName(event)] && !(intent === 'continue_working' && !stdout.reason),
  );
  it.each(heard)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    expect(json(event, INTENTS[intent]?.(stdout, stdout.hookSpecificOutput ?? {}) ?? {})).toEqual(stdout);
  });
  it('cover most documented recipes', () => expect(heard.length).toBeGreaterThan(14));
});

const decodeName = (event: string) => (event === '*' ? '*' : decode(event).event);

describe('the true no-op', () => {
  it('is an empty object', () => {
    for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd']) {
      expect(encode(event, OBSERVE)).toEqual({ answer: { stdout: '{}', stderr: '', exitCode: 0 }, delivered: [] });
    }
  });
  it('says nothing at all where even {} would be read', () => {
    for (const event of ['PreCompact', 'PostCompact', 'WorktreeCreate']) expect(encode(event, OBSERVE).answer.stdout).toBe('');
    expect(encode('PreCompact', { ...replace, userMessage: 'look' })).toMatchObject({ answer: { stdout: '' }, deferred: 'context' });
    expect(claude.noop('AnEventOfTomorrow').stdout).toBe('');
  });
});

describe('a decision that Claude Code takes in another way', () => {
  it('puts the end of the run beside the deny, never alone', () => {
    expect(json('PreToolUse', { ...deny, endRun: true })).toEqual({
      continue: false,
      stopReason: 'no',
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
    });
    expect(json('PermissionRequest', { ...deny, endRun: true }).hookSpecificOutput?.decision).toEqual({
      behavior: 'deny',
      message: 'no',
      interrupt: true,
    });
  });
  it('modifies without granting', () => {
    expect(json('PreToolUse', modify)).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'true' } } });
  });
  it('turns a question that nobody can answer into a deny that says so', () => {
    const { answer, delivered } = encode('PreToolUse', { ...ask, input: { command: 'true' } }, false);
    const specific = JSON.parse(answer.stdout).hookSpecificOutput;
    expect(specific).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(/^sure\? .*nobody/),
    });
    expect(delivered).toMatchObject([
      { decision: 'ask', how: 'degraded' },
      { decision: 'modify', how: 'none' },
    ]);
  });
  it('never turns context at a stop into going on', () => {
    for (const event of ['Stop', 'SubagentStop']) {
      expect(encode(event, replace)).toEqual({
        answer: claude.noop(event),
        delivered: [expect.objectContaining({ decision: 'replace', how: 'none' })],
      });
    }
  });
  it('reports context that is too long to be shown whole', () => {
    const limit = contextLimitOf(claude.contextLimits, 'session_start') as ContextLimit;
    expect([10_000, 10_001].map((length) => isOverLimit('x'.repeat(length), limit))).toEqual([false, true]);
    expect(limit.longer).not.toBe('cut');
  });
  it('never loses a part without a word', () => {
    const everything: Reduced = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of claude.events) {
      const parts = claude.encode(decode(name), everything, { attended: true }).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
  it('says so when the run cannot be ended', () => {
    expect(encode('PreCompact', { ...deny, endRun: true }).delivered).toEqual([
      { decision: 'deny', how: 'now', note: expect.stringContaining('ended') },
    ]);
    expect(encode('PreToolUse', { ...deny, endRun: true }).delivered).toEqual([{ decision: 'deny', how: 'now' }]);
    expect(encode('PermissionRequest', { ...deny, endRun: true }).delivered).toEqual([{ decision: 'deny', how: 'now' }]);
  });
  it('says so when the person cannot read a message', () => {
    expect(json('SessionStart', { userMessage: 'look' })).toEqual({ systemMessage: 'look' });
    expect(encode('Notification', { userMessage: 'look' }).delivered).toMatchObject([
      { how: 'none', note: expect.stringContaining('person') },
    ]);
  });
});

describe('a rewritten output', () => {
  const rewritten = (sample: string, output: unknown) => json(sample, { output }).hookSpecificOutput?.updatedToolOutput;
  it('puts a text where the tool keeps its own', () => {
    expect(rewritten('PostToolUse', 'x')).toEqual({ stdout: 'x', stderr: '', interrupted: false, isImage: false });
    expect(rewritten('PostToolUse.read', 'a\nb')).toMatchObject({
      file: {
        filePath: '/home/dev/project/src/login.ts',
        content: 'a\nb',
        numLines: 2,
      },
    });
    expect(rewritten('PostToolUse.mcp', 'x')).toEqual([{ type: 'text', text: 'x' }]);
    expect(encode('PostToolUse.write', rewrite).delivered).toMatchObject([
      { decision: 'rewrite', how: 'none', note: expect.stringContaining('object') },
    ]);
  });
  it('keeps nothing of the old output of a command that an object does not name', () => {
    expect(rewritten('PostToolUse', { stdout: 'x' })).toEqual({ stdout: 'x', stderr: '', interrupted: false, isImage: false });
  });
});
