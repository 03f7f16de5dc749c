import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Frame, readFrameFile } from '@piton/contracts';
import type { FrameOutcome } from '@piton/lifecycle';
import { readIfThere } from '../file-parts.ts';
import { isRunning, startTimeOf } from '../process/processes.ts';
import { answeredEventOf, frameFileOf, isStandInFile, removeStandInFiles, standInOutcome } from '../stand-in.ts';
import type { AnsweredEvent } from '../subscriptions/raised.ts';
import { type Journal, unlinkQuietly } from './journal.ts';

/** The process name of a forwarder, which may still claim its frame. */
const FORWARDER = 'piton-forward';

export interface OrphanPorts {
  /** The directory that holds all journals of this environment. */
  readonly journals: string;
  /** This server's journal. */
  readonly journal: Journal;
  readonly replay: (directory: string) => void;
  readonly reportProblem: (what: string, remedy: string) => void;
  /** The stand-in answered this one. */
  readonly answered: (answered: AnsweredEvent, frameOutcome: FrameOutcome) => void;
  /** No server answered this one in time. `denied`: the stand-in did. */
  readonly late: (frame: Frame, denied: boolean) => void;
}

/** Adopts frames that nobody will claim: those of servers that died, and of forwarders that found no server. */
export async function adoptOrphans(ports: OrphanPorts): Promise<number> {
  let adopted = 0;
  // By their stamps: a prompt comes before its calls.
  const entries = readdirSync(ports.journals, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(ports.journals, entry.name);
    if (entry.isDirectory() && path !== ports.journal.directory && !isAlive(path)) ports.replay(path);
    else if (entry.isFile() && entry.name.endsWith('.frame')) adopted += await adopt(ports, path, Number(entry.name.split('.')[1]));
    else if (isStandInFile(entry.name) && !existsSync(frameFileOf(path))) unlinkQuietly(path);
  }
  return adopted;
}

async function adopt(ports: OrphanPorts, path: string, pid: number): Promise<number> {
  const bytes = readIfThere(path);
  if (!bytes) return 0; // its forwarder has claimed it
  const result = readFrameFile(bytes);
  if (result.ok && mayBeClaimed(pid, path, result.frame.timeoutMs)) return 0;
  if (!result.ok) {
    ports.reportProblem(
      `a journal file from a forwarder cannot be read (${result.error}): ${path}`,
      'report this as a bug, then delete the file',
    );
    return 0;
  }
  const { stamp } = result.frame;
  if (!(await ports.journal.appendFrame(stamp, bytes.subarray(4)))) return 0;
  const frameOutcome = standInOutcome(path, result.frame);
  ports.journal.appendOutcome(frameOutcome);
  unlinkQuietly(path);
  removeStandInFiles(path);
  const isDenied = frameOutcome.kind === 'decided' && frameOutcome.outcome.decision.verdict === 'deny';
  ports.late(result.frame, isDenied);
  if (frameOutcome.kind === 'decided') ports.answered(answeredEventOf(result.frame), frameOutcome);
  return 1;
}

/** `<stamp>.<pid>.frame`: while its forwarder lives it may still send the frame itself. A busy machine soon reuses the pid. */
function mayBeClaimed(pid: number, path: string, timeoutMs: number): boolean {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age > timeoutMs || !isRunning(pid)) return false;
  const name = readIfThere(`/proc/${pid}/comm`)?.toString().trim();
  return name === undefined || name === FORWARDER;
}

/** A journal's `pid` file has the pid and start time of its server: the pid alone may have been reused. */
function isAlive(directory: string): boolean {
  try {
    const [pid, started] = readFileSync(join(directory, 'pid'), 'utf8').trim().split(' ');
    return isRunning(Number(pid)) && startTimeOf(Number(pid)) === started;
  } catch {
    return false;
  }
}
