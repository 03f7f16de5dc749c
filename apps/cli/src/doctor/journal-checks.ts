import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { plural } from '../output/text.ts';
import { formatAge } from '../output/time.ts';
import { flush, serverStatus } from '../server/client.ts';
import { isLocked } from '../server/lock.ts';
import { type Check, type Finding, problem } from './finding.ts';

/** A healthy server stores a frame within a second, so after this time an orphan's server is gone. */
const STALE_MS = 10 * 60_000;

export const journalCheck: Check = async ({ places }) => [
  ...(await currentJournal(places)),
  ...quarantinedFrames(places),
  ...orphans(places),
];

async function currentJournal(places: Places): Promise<Finding[]> {
  const waiting = framesIn(places.journal);
  const oldest = Math.max(0, ...waiting.map((file) => Date.now() - statSync(file).mtimeMs));
  if (oldest < 60_000) return [];
  const fix = async (): Promise<string> => {
    const reply = (await serverStatus(places)).ok ? await flush(places) : undefined;
    return reply?.ok ? 'the server is storing them' : 'the server does not answer. They stay in the journal';
  };
  return [
    problem('journal.old', {
      what: `${plural(waiting.length, 'journal file')} waiting to be stored, the oldest for ${formatAge(oldest)}. They are not redacted yet`,
      where: places.journal,
      remedy: 'fix the server or store problems listed here. The files are stored after that',
      fix,
    }),
  ];
}

function quarantinedFrames(places: Places): Finding[] {
  const quarantine = join(places.environment, 'aside');
  const files = list(quarantine).filter((name) => name.endsWith('.frame'));
  if (files.length === 0) return [];
  return [
    problem('journal.aside', {
      what: `${plural(files.length, 'frame')} crashed the server repeatedly and ${files.length === 1 ? 'was' : 'were'} quarantined`,
      where: quarantine,
      remedy: 'report this as a bug, then delete the files. They are not redacted',
    }),
  ];
}

/** Journals of environments that no longer exist: a deleted container, a HOME that was moved. */
function orphans(places: Places): Finding[] {
  const environments = join(places.home, 'env');
  return list(environments)
    .filter((hash) => hash !== places.hash)
    .flatMap((hash): Finding[] => {
      const journal = join(environments, hash, 'journal');
      const files = framesIn(journal);
      const newest = Math.min(...files.map((file) => Date.now() - statSync(file).mtimeMs));
      if (files.length === 0 || newest < STALE_MS || isLocked(join(environments, hash))) return [];
      const what = `${plural(files.length, 'journal file')} of another environment waiting for a server that is gone, the newest for ${formatAge(newest)}`;
      return [
        problem('journal.orphan', {
          what,
          where: journal,
          remedy: 'store them with this server: piton doctor --fix',
          fix: () => adopt(places, journal),
        }),
      ];
    });
}

/** Moves them into this environment's journal, where the server finds them at its next scan. */
function adopt(places: Places, journal: string): string {
  mkdirSync(places.journal, { recursive: true, mode: 0o700 });
  const entries = list(journal).filter((name) => !existsSync(join(places.journal, name)));
  for (const name of entries) renameSync(join(journal, name), join(places.journal, name));
  return `${plural(entries.length, 'entry', 'entries')} adopted. The server stores them within seconds`;
}

/** Frame files of forwarders, and server segments one level below. */
function framesIn(journal: string): string[] {
  return list(journal)
    .flatMap((name) => [name, ...list(join(journal, name)).map((inner) => join(name, inner))])
    .filter((name) => name.endsWith('.frame') || name.endsWith('.log'))
    .map((name) => join(journal, name))
    .filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0);
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
