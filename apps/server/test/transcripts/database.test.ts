import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../../../packages/store/src/sqlite/database/driver-loader.ts';
import { openScene, type Scene } from './setup.ts';

type Database = InstanceType<Awaited<ReturnType<typeof loadSqlite>>['DatabaseSync']>;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.end());

const texts = async (kind: string): Promise<(string | null)[]> =>
  (await scene.store.transcripts(scene.session)).flatMap(({ list }) => list.filter((entry) => entry.kind === kind).map(({ text }) => text));

for (const id of ['opencode', 'kilo'])
  describe(`the database of ${id}`, () => {
    const agent = AGENTS.find((one) => one.id === id) as Agent;
    let path: string;
    let db: Database;

    const say = (message: string, session: string, role: string, ...parts: object[]): void => {
      const info = {
        role,
        modelID: 'mock',
        ...(role === 'assistant' && { tokens: { input: 10, output: 5, cache: { read: 2, write: 1 } } }),
      };
      const at = Number(message.slice(1));
      db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(message, session, at, at, JSON.stringify(info));
      for (const [order, part] of parts.entries())
        db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(`p${at}-${order}`, message, session, at, at, JSON.stringify(part));
    };

    beforeEach(async () => {
      path = join(scene.home, agent.transcript?.locate?.({ sessionId: 's', cwd: '/', home: scene.home, env: {} }) ?? '');
      mkdirSync(dirname(path), { recursive: true });
      const { DatabaseSync } = await loadSqlite();
      db = new DatabaseSync(path, { readOnly: false });
      // The schema of OpenCode 1.18 and Kilo 7.7, as far as it is queried.
      db.exec(`PRAGMA journal_mode = WAL;
        CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
        CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)`);
    });
    afterEach(() => db.close());

    it('is read while the agent writes to it, for one session only, and again when something is new', async () => {
      const state = { status: 'completed', input: { command: 'echo one' }, output: 'x'.repeat(1000) };
      say('m1', 'ses_1', 'user', { type: 'text', text: 'Do it.' });
      say('m2', 'ses_1', 'assistant', { type: 'tool', tool: 'bash', callID: 'c1', state });
      say('m3', 'ses_2', 'user', { type: 'text', text: 'Another session.' });
      db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run('m9', 'ses_1', 9, 9, 'no JSON');
      await scene.read(agent, path, { agentPath: path, ref: 'ses_1' });
      expect([await texts('prompt'), await texts('tool-call')]).toEqual([['Do it.'], ['{"command":"echo one"}']]);
      db.exec('BEGIN IMMEDIATE');
      say('m4', 'ses_1', 'assistant', { type: 'text', text: 'Done.' });
      await scene.read(agent, path, { agentPath: path, ref: 'ses_1' });
      expect(await texts('answer')).toEqual([]);
      db.exec('COMMIT');
      await scene.read(agent, path, { agentPath: path, ref: 'ses_1' });
      expect([await texts('prompt'), await texts('answer')]).toEqual([['Do it.'], ['Done.']]);
      const [transcript] = await scene.store.transcripts(scene.session);
      expect(transcript?.list.filter(({ kind }) => kind === 'usage').map(({ tokens }) => tokens?.output)).toEqual([5, 5]);
    });

    it('that is no database, has another schema, or is a link elsewhere yields nothing and breaks nothing', async () => {
      say('m1', 'ses_1', 'user', { type: 'text', text: 'Do it.' });
      db.exec('ALTER TABLE part RENAME TO pieces');
      await scene.read(agent, path, { agentPath: path, ref: 'ses_1' });
      const outside = join(dirname(scene.home), 'outside.db');
      execFileSync('cp', [path, outside]);
      const link = join(dirname(path), 'link.db');
      symlinkSync(outside, link);
      await scene.read(agent, link, { agentPath: path, ref: 'ses_1' });
      const text = join(dirname(path), 'text.db');
      writeFileSync(text, 'no database, but long enough to have a head of one hundred bytes'.repeat(4));
      await scene.read(agent, text, { agentPath: path, ref: 'ses_1' });
      expect(await scene.store.transcripts(scene.session)).toEqual([]);
      expect(scene.problems).toEqual([expect.stringContaining('neither in your home nor')]);
    });
  });
