import { openStore } from '../../src/index.ts';
import { event, RUNS, stampOf } from '../records.ts';

/** A program of its own for tests that need a second process, another user or another disk. Prints one JSON value a line. */
const [, , what, path, ...rest] = process.argv as [string, string, string, string, ...string[]];
const send = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const forever = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

async function open() {
  const opened = await openStore(
    { kind: 'sqlite', file: path },
    { readonly: what === 'read', ...(what === 'stuck-migration' && { onStep: stuck }) },
  );
  if (opened.ok) return opened.store;
  send(opened);
  process.exit(0);
}

function stuck(name: string): void {
  send({ inside: name });
  // The line must be out before the loop stops turning; stdout is a pipe, written at once.
  forever();
}

async function main(): Promise<void> {
  const store = await open();
  if (what === 'write') {
    const [first, count, session] = [Number(rest[0]), Number(rest[1]), rest[2] as string];
    for (let n = first; n < first + count; n += 10) {
      const batch = Array.from({ length: 10 }, (_, i) =>
        event(n + i, { session, event: 'pre_tool_use', tool: { command: `echo ${n + i}` } }),
      );
      const report = await store.record(batch);
      if (!report.ok) send(report);
    }
    send({ wrote: count });
  }
  if (what === 'change') {
    // Everything that gets a number late: first late, then live, then the hooks that only watched.
    const [first, count, session] = [Number(rest[0]), Number(rest[1]), rest[2] as string];
    for (let n = first; n < first + count; n += 5) {
      const batch = (late: boolean) => Array.from({ length: 5 }, (_, i) => event(n + i, { session, late, event: 'pre_tool_use' }));
      await store.record(batch(true));
      await store.record(batch(false));
      for (let i = 0; i < 5; i += 2) await store.addRuns(stampOf(n + i), RUNS);
    }
    send({ wrote: count });
  }
  if (what === 'fill') {
    // Until the disk is full, then once more with what fits, after something made room.
    const payload = (n: number) => ({
      text: Array.from({ length: 8000 }, (_, i) => ((i * 2654435761 + n * 97) >>> 0).toString(36)).join(''),
    });
    let n = 1;
    let report = await store.record([event(n, { payload: payload(n) })]);
    while (report.ok && n < 500) report = await store.record([event(++n, { payload: payload(n) })]);
    send(report);
    const { events } = await store.stats();
    send({ kept: events, tried: n });
    const { rmSync } = await import('node:fs');
    rmSync(rest[0] as string);
    send(await store.record([event(n, { payload: { small: true } })]).then(({ ok }) => ({ again: ok })));
    send({ found: (await store.event(event(n).eventId)).found, first: (await store.event(event(1).eventId)).found });
  }
  await store.close();
  send({ closed: true });
}
void main();
