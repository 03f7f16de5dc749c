import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_TOKENS } from '@piton/contracts';
import type { KeptEntry } from '@piton/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outdatedCandidates } from '../../src/transcripts/outdated.ts';
import { agentOf, openScene, redactor, type Scene } from './setup.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.end());

const USAGE = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 24, cache_creation: { ephemeral_1h_input_tokens: 4 } };
const content = [{ type: 'text', text: 'said again' }];
const LINE = `${JSON.stringify({ type: 'assistant', uuid: 'u', message: { id: 'm', model: 'x', content, usage: USAGE } })}\n`;
const HEAD = { at: null, cut: 0, name: null, useId: null, failed: null, text: null, model: null, tokens: null };

/** As a Piton before classes of tokens had stored it. */
async function readLongAgo(path: string, entries = [usageOfOld()]): Promise<void> {
  const none = { session: scene.session, path: redactor.text(path), agentId: null, format: 'claude-jsonl' };
  const mark = { file: '1:2', size: LINE.length, modifiedMs: 1, consumed: LINE.length, tail: '', reader: 0, memory: '' };
  await scene.store.addTranscript({ ...none, mark, entries, notes: redactor.value([]), redaction: redactor.version });
}
function usageOfOld() {
  const entry: KeptEntry = { ...HEAD, kind: 'usage', tokens: { ...NO_TOKENS, input: 10, output: 5, cacheWrite: 24 } };
  return { key: Buffer.from('of an older one.'), entry: redactor.value(entry) };
}

async function readOutdated(): Promise<number> {
  const candidates = await outdatedCandidates(scene.store, scene.home, {});
  const reader = scene.reader();
  reader.enqueue(candidates);
  while (await reader.step(scene.store));
  return candidates.length;
}

const classes = async () =>
  (await scene.store.transcripts(scene.session)).flatMap(({ list }) => list).map(({ tokens }) => tokens?.cacheWrite1h);

it('what an older Piton has read is read again where the agent still has it, once', async () => {
  const path = join(scene.home, 't.jsonl');
  writeFileSync(path, LINE);
  await readLongAgo(path);
  expect(await readOutdated()).toBe(1);
  expect(await classes()).toContain(4);
  expect(await readOutdated()).toBe(0);
});

it('an entry that is read again replaces what was stored of it', async () => {
  const path = join(scene.home, 't.jsonl');
  writeFileSync(path, LINE);
  await scene.read(agentOf('claude'), path);
  await readLongAgo(path, []);
  expect(await readOutdated()).toBe(1);
  const list = (await scene.store.transcripts(scene.session)).flatMap((transcript) => transcript.list);
  expect(list.map(({ kind }) => kind)).toEqual(['answer', 'usage']);
});

it('what the agent has deleted stays as it was read', async () => {
  await readLongAgo(join(scene.home, 'gone.jsonl'));
  expect(await readOutdated()).toBe(1);
  expect(await classes()).toEqual([0]);
});

it('texts that were dropped by age do not come back', async () => {
  const path = join(scene.home, 't.jsonl');
  writeFileSync(path, LINE);
  await readLongAgo(path);
  await readLongAgo(path, [
    { key: Buffer.from('an answer of old'), entry: redactor.value({ ...HEAD, kind: 'answer', text: 'said before' }) },
  ]);
  await scene.store.expire({ now: Date.now() + 40 * 86_400_000, days: 30, maxBytes: 2 ** 40 });
  await readOutdated();
  const list = (await scene.store.transcripts(scene.session)).flatMap((transcript) => transcript.list);
  expect(list.map(({ text }) => text).filter(Boolean)).toEqual([]);
  expect(list.map(({ tokens }) => tokens?.cacheWrite1h)).toContain(4);
});
