import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import type { Redactor } from '@piton/redact';
import { describeTarget, localStore, type RewrittenBody, type Store, type StoredBody } from '@piton/store';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { openExisting, storeRemedy } from '../open-store.ts';
import { flush } from '../server/client.ts';

/** A body can be 32 MiB, so batches are small. */
const BATCH = 20;
const SHOWN = 5;
const PROGRESS_EVERY = 1000;
const LOGS = ['troubles.log', 'troubles.log.1', 'server.log'];

export interface SecretKind {
  readonly kind: string;
  count: number;
  /** The fields and logs that contain it. */
  readonly where: Set<string>;
  /** The first few events that contain it. */
  readonly events: Set<string>;
}
export interface SecretReport {
  readonly rules: string;
  looked: number;
  /** Events, observations, transcript entries and logs that contain a secret. */
  affected: number;
  rewritten: number;
  readonly kinds: Map<string, SecretKind>;
}

/** Scans everything stored with the current rules. `fix` rewrites what they find. */
export async function scanSecrets(context: Context, places: Places, redactor: Redactor, fix: boolean): Promise<SecretReport> {
  const report: SecretReport = { rules: redactor.version, looked: 0, affected: 0, rewritten: 0, kinds: new Map() };
  scanLogs(places, redactor, fix, report);
  // Frames in the journal are not redacted yet: store them first.
  await flush(places, 10_000);
  const opened = await openExisting(places, 'read', { readonly: !fix });
  if (opened === undefined) return report;
  try {
    for (const of of ['event', 'observation', 'piton-event', 'push', 'transcript', 'ledger'] as const) await scanStore(opened, of);
    // Also where nothing was found: the last one may have been kept from it.
    if (fix) await requireWritten(scrubbed(opened), places);
  } finally {
    await opened.close();
    if (context.interactive) context.progress('');
  }
  return report;

  async function scanStore(store: Store, of: StoredBody['of']): Promise<void> {
    for (let afterSeq = 0; ; ) {
      const batch = await store.bodies({ of, afterSeq, limit: BATCH });
      const last = batch.at(-1);
      if (last === undefined) return;
      afterSeq = last.seq;
      const changed = batch.flatMap((stored) => redactBody(stored, redactor, report));
      if (fix && changed.length > 0) {
        await requireWritten(store.rewriteBodies(changed), places);
        report.rewritten += changed.length;
      }
      if (context.interactive && report.looked % PROGRESS_EVERY < BATCH) context.progress(`${report.looked} scanned…`);
    }
  }
}

const TRIES = 4;

/** Each try waits for whoever reads the store. */
async function scrubbed(store: Store): ReturnType<Store['scrub']> {
  let report = await store.scrub();
  for (let tries = 1; tries < TRIES && !report.ok && report.problem === 'busy'; tries++) report = await store.scrub();
  return report;
}

async function requireWritten(written: ReturnType<Store['scrub']>, places: Places): Promise<void> {
  const result = await written;
  if (!result.ok)
    throw new Failure(`cannot rewrite the store: ${result.error}`, {
      where: describeTarget(localStore(places)),
      remedy: storeRemedy(result),
    });
}

function redactBody(stored: StoredBody, redactor: Redactor, report: SecretReport): RewrittenBody[] {
  report.looked += 1;
  let found = 0;
  redactor.value(stored.body, () => found++);
  if (found === 0) return [];
  report.affected += 1;
  const whole = stored.of === 'observation' || stored.of === 'transcript';
  const fields = whole ? [[stored.of, stored.body] as const] : Object.entries(stored.body);
  for (const [field, value] of fields) redactor.value(value, (kind) => note(report, kind, field, stored.id));
  return [rewritten(stored, redactor)];
}

/** Six identical branches, because each body keeps its own type and no cast can produce `Redacted<T>`. */
function rewritten(stored: StoredBody, redactor: Redactor): RewrittenBody {
  const { seq } = stored;
  const redaction = redactor.version;
  switch (stored.of) {
    case 'event':
      return { of: stored.of, seq, redaction, body: redactor.value(stored.body) };
    case 'observation':
      return { of: stored.of, seq, redaction, body: redactor.value(stored.body) };
    case 'piton-event':
      return { of: stored.of, seq, redaction, body: redactor.value(stored.body) };
    case 'push':
      return { of: stored.of, seq, redaction, body: redactor.value(stored.body) };
    case 'transcript':
      return { of: stored.of, seq, redaction, body: redactor.value(stored.body) };
    case 'ledger':
      return { of: stored.of, seq, redaction, body: redactor.value(stored.body) };
  }
}

function note(report: SecretReport, kind: string, where: string, id: string | undefined): void {
  const entry = report.kinds.get(kind) ?? { kind, count: 0, where: new Set(), events: new Set() };
  report.kinds.set(kind, entry);
  entry.count += 1;
  entry.where.add(where);
  if (id !== undefined && entry.events.size < SHOWN) entry.events.add(id);
}

function scanLogs(places: Places, redactor: Redactor, fix: boolean, report: SecretReport): void {
  for (const name of LOGS) {
    const file = join(places.logs, name);
    if (!existsSync(file)) continue;
    report.looked += 1;
    const before = readFileSync(file, 'utf8');
    const after = redactor.text(before, (kind) => note(report, kind, name, undefined));
    if (after === before) continue;
    report.affected += 1;
    if (!fix) continue;
    // In place: the server has the file open and appends to it.
    writeFileSync(file, after);
    report.rewritten += 1;
  }
}
