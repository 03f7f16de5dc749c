import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contextLimitOf, type JsonObject, OBSERVE, type Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { cursor } from '../../src/cursor/index.ts';
import type { CursorAnswer } from './answer-reader.ts';
import { documented, FIXTURES } from './fixtures.ts';

const encode = (name: string, decision: Partial<Reduced>, attended = true) => {
  const event = cursor.decode(documented(name), { nativeEvent: name.split('.')[0] ?? '', cwd: '/', variables: {} });
  return cursor.encode(event, { decision: 'observe', verdict: 'observe', ...decision }, { attended });
};
const json = (name: string, decision: Partial<Reduced>): CursorAnswer => JSON.parse(encode(name, decision).answer.stdout);

const deny = { decision: 'deny', verdict: 'deny', reason: 'no' } as const;

describe('the answers', () => {
  const recipes: { event: string; intent: string; stdout: CursorAnswer & { env?: unknown } }[] = JSON.parse(
    readFileSync(join(FIXTURES, 'answers/documented.json'), 'utf8'),
  );
  const INTENTS: Record<string, (stdout: CursorAnswer) => Partial<Reduced>> = {
    deny: ({ user_message = '' }) => ({ ...deny, reason: user_message }),
    block: ({ user_message = '' }) => ({ ...deny, reason: user_message }),
    modify_input: ({ updated_input = {} }) => ({ input: updated_input }),
    add_context: ({ additional_context = '' }) => ({ content: additional_context }),
    continue_working: ({ followup_message = '' }) => ({ continue: followup_message }),
  };
  const registered = new Set(cursor.events.filter(({ event }) => event !== 'other').map(({ name }) => name));
  const heard = recipes.filter(({ event, intent }) => registered.has(event) && intent in INTENTS);

  it.each(heard)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    const { env: _, ...wanted } = stdout;
    expect({ agent_message: undefined, ...json(event, INTENTS[intent]?.(stdout) ?? {}) }).toMatchObject(wanted as JsonObject);
  });
  it('cover most documented recipes', () => expect(heard.length).toBeGreaterThan(9));

  it('never lose a part without a word', () => {
    const everything: Partial<Reduced> = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of cursor.events) {
      const parts = encode(name, everything).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
  it('prints JSON or, for what it does not know, nothing', () => {
    for (const { name } of cursor.events) expect(JSON.parse(encode(name, OBSERVE).answer.stdout)).toEqual({});
    expect(cursor.noop('somethingNew').stdout).toBe('');
  });
});

describe('a decision that Cursor takes in another way', () => {
  it('turns every question into a deny', () => {
    const ask = { decision: 'ask', verdict: 'ask', reason: 'sure?' } as const;
    for (const attended of [true, false])
      expect(JSON.parse(encode('preToolUse', ask, attended).answer.stdout)).toMatchObject({ permission: 'deny', user_message: 'sure?' });
    expect(encode('preToolUse', { verdict: 'allow' })).toMatchObject({ answer: { stdout: '{}' }, delivered: [{ how: 'none' }] });
  });
  it('modifies no content, and says so', () => {
    const path = { file_path: '/b.ts', content: 'x' };
    expect(json('preToolUse.write', { input: path }).updated_input).toEqual(path);
    expect(encode('preToolUse.write', { input: { ...path, content: 'y' } })).toMatchObject({
      answer: { stdout: '{}' },
      delivered: [{ decision: 'modify', how: 'none' }],
    });
  });
  it('cuts context that would be dropped', () => {
    expect(contextLimitOf(cursor.contextLimits, 'session_start')).toMatchObject({ size: 10_000, longer: 'cut' });
    expect(json('postToolUse', { ...deny, content: 'x'.repeat(10_000) }).additional_context).toHaveLength(10_000);
  });
  it('rewrites the output of MCP tools alone', () => {
    const mcp = { ...documented('postToolUse'), tool_name: 'MCP:search', tool_output: '{}' };
    const event = cursor.decode(mcp, { nativeEvent: 'postToolUse', cwd: '/', variables: {} });
    const { answer } = cursor.encode(event, { ...OBSERVE, output: 'new' }, { attended: true });
    expect(JSON.parse(answer.stdout)).toEqual({ updated_mcp_tool_output: { content: [{ type: 'text', text: 'new' }] } });
    expect(encode('postToolUse', { output: 'new' }).delivered).toMatchObject([{ decision: 'rewrite', how: 'none' }]);
  });
  it('joins what a hook has to say after a tool', () => {
    expect(json('postToolUse', { ...deny, content: 'context' })).toEqual({ additional_context: 'no\ncontext' });
  });
  it('shows a message to the person where that is documented', () => {
    expect(json('beforeSubmitPrompt', { ...deny, userMessage: 'look' })).toEqual({ continue: false, user_message: 'no\nlook' });
    expect(encode('preToolUse', { userMessage: 'look' }).delivered).toMatchObject([
      { how: 'none', note: expect.stringContaining('person') },
    ]);
  });
});
