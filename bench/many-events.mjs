// A store of many events, written through the store itself.
import { importTypeScript } from '../scripts/import-typescript.mjs';

const BATCH = 2000;

/** Goes on with one that is there. */
export async function fill(file, count) {
  const { addAnswers, openStore, record } = await importTypeScript('bench/listings-entry.ts');
  const opened = await openStore({ kind: 'sqlite', file });
  if (!opened.ok) throw new Error(opened.error);
  const started = Date.now();
  for (let at = (await opened.store.stats()).events + 1; at <= count; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - at + 1) }, (_, n) => record(at + n));
    const report = await opened.store.record(batch);
    if (!report.ok || report.rejected.length > 0) throw new Error(JSON.stringify(report.ok ? report.rejected[0] : report));
    await addAnswers(opened.store, at, at + batch.length);
  }
  while ((await opened.store.indexPending(BATCH)).left > 0);
  while ((await opened.store.refreshSums(BATCH)) > 0);
  const { bytes } = await opened.store.stats();
  await opened.store.close();
  console.log(`${count} events, ${(bytes / 1e6).toFixed(0)} MB, after ${((Date.now() - started) / 1000).toFixed(0)} s`);
}
