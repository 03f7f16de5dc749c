import { join } from 'node:path';
import type { Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { cline } from '../../src/cline/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { allow, ask, deny, encoderOf, goldenAnswers, goOn, modify, replace, rewrite } from '../golden-answers.ts';
import type { ClineAnswer } from './answer-reader.ts';

const { fixtures, documented } = fixturesOf('cline');
const sample = (name: string) => documented(name === 'PreCompact' ? 'TaskStart' : name);
const encode = encoderOf(cline, sample);
const json = (name: string, said: Partial<Reduced>): ClineAnswer => JSON.parse(encode(name, said).answer.stdout);

describe('the answers as a whole', () => {
  it('are those of the golden file, for every decision on every event', async () => {
    const more = ['PreToolUse.edit', 'PreToolUse.read', 'PreToolUse.mcp', 'PostToolUse.failure'];
    await expect(goldenAnswers(cline, sample, more)).toMatchFileSnapshot(join(fixtures, 'answers/golden.txt'));
  });
});

describe('before a tool', () => {
  it('lets a call that fails stand in for a denied one, and the model reads why', () => {
    expect(json('PreToolUse', deny)).toEqual({
      overrideInput: { commands: [expect.stringMatching(/exit 1$/)] },
      contextModification: 'no',
    });
    expect(json('PreToolUse.write', deny)).toMatchObject({ overrideInput: { path: expect.stringMatching(/^\/dev\/null\//) } });
    expect(json('PreToolUse.read', deny)).toMatchObject({ overrideInput: { files: [{ path: expect.stringMatching(/^\/dev\/null\//) }] } });
    expect(encode('PreToolUse', deny).delivered).toEqual([{ decision: 'deny', how: 'now' }]);
  });
  it('puts no word of a hook into a command', () => {
    const answer = JSON.stringify(json('PreToolUse', { ...deny, reason: "'; rm -rf ~ #" }).overrideInput);
    expect(answer).toBe(JSON.stringify(json('PreToolUse', deny).overrideInput));
  });
  it('ends the run where nothing can stand in, where a hook wants it, and where the tool is unknown', () => {
    for (const [name, said] of [
      ['PreToolUse.mcp', deny],
      ['PreToolUse.agent', deny],
      ['PreToolUse', { ...deny, endRun: true }],
    ] as const) {
      expect(json(name, said)).toEqual({ cancel: true, errorMessage: 'no' });
      expect(encode(name, said).delivered).toEqual([{ decision: 'deny', how: 'degraded', note: expect.stringContaining('whole run') }]);
    }
    const unread = cline.decode(null, { nativeEvent: 'PreToolUse', cwd: '/', variables: {} });
    expect(cline.encode(unread, { ...deny }, { attended: false }).answer.stdout).toBe('{"cancel":true,"errorMessage":"no"}');
  });
  it('has no question, so it denies', () => {
    for (const attended of [true, false])
      expect(encode('PreToolUse', ask, attended).delivered).toMatchObject([{ decision: 'ask', how: 'degraded' }]);
    expect(json('PreToolUse', ask).contextModification).toBe('sure?');
    expect(cline.attended({}, true)).toBe(false);
  });
  it('writes a new input in the names of the tool itself', () => {
    const modified = (name: string, input: Record<string, unknown>) => json(name, { input }).overrideInput;
    expect(modified('PreToolUse', { command: 'true' })).toEqual({ commands: ['true'] });
    expect(modified('PreToolUse.edit', { file_path: 'a', old_string: 'b', new_string: 'c' })).toEqual({
      path: 'a',
      old_text: 'b',
      new_text: 'c',
    });
    expect(modified('PreToolUse.write', { file_path: 'a', content: 'c' })).toEqual({ path: 'a', new_text: 'c' });
    expect(modified('PreToolUse.read', { file_path: 'a', offset: 3, limit: 5 })).toEqual({
      files: [{ path: 'a', start_line: 3, end_line: 7 }],
    });
    expect(modified('PreToolUse.mcp', { path: 'a' })).toEqual({ path: 'a' });
  });
  it('grants nothing', () => {
    expect(encode('PreToolUse', allow)).toMatchObject({
      answer: cline.noop('PreToolUse'),
      delivered: [{ decision: 'allow', how: 'none' }],
    });
  });
  it('carries context beside whatever else is said', () => {
    expect(json('PreToolUse', { ...deny, content: 'context' }).contextModification).toBe('no\ncontext');
    expect(json('PreToolUse', { ...modify, content: 'context' })).toEqual({
      overrideInput: { commands: ['true'] },
      contextModification: 'context',
    });
    expect(encode('PreToolUse.mcp', { ...deny, content: 'context' }).delivered).toMatchObject([
      { decision: 'replace', how: 'none' },
      { decision: 'deny', how: 'degraded' },
    ]);
  });
});

describe('after a tool', () => {
  it('adds what a deny says, and ends the run only if asked to', () => {
    expect(json('PostToolUse', { ...deny, content: 'context' })).toEqual({ contextModification: 'no\ncontext' });
    expect(json('PostToolUse', { ...deny, endRun: true })).toEqual({ cancel: true, errorMessage: 'no' });
    expect(encode('PostToolUse', rewrite).delivered).toMatchObject([{ decision: 'rewrite', how: 'none' }]);
  });
});

describe('the events whose answers nobody reads', () => {
  it('keeps context of the start for the first tool call', () => {
    expect(encode('TaskStart', replace)).toMatchObject({ answer: cline.noop('TaskStart'), deferred: 'context' });
  });
  it('say so of all that they lose', () => {
    const everything: Partial<Reduced> = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of cline.events) {
      const parts = encode(name, everything).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
    expect(encode('TaskComplete', goOn)).toMatchObject({ answer: cline.noop('TaskComplete'), delivered: [{ how: 'none' }] });
    expect(encode('TaskStart', { userMessage: 'look' }).delivered).toMatchObject([
      { how: 'none', note: expect.stringContaining('person') },
    ]);
  });
});
