import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/index.ts';
import { BASE_MS } from './records.ts';
import { storeSuite } from './store-suite.ts';

storeSuite('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'piton-store-'));
  let now = BASE_MS;
  const opened = await openStore({ kind: 'sqlite', file: join(directory, 'piton.db') }, { nowUs: () => now * 1000 });
  if (!opened.ok) throw new Error(opened.error);
  return {
    store: opened.store,
    setNow: (ms) => {
      now = ms;
    },
    end: async () => {
      await opened.store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});
