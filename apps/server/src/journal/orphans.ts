import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readFrameFile } from '@piton/contracts';
import type { FrameOutcome } from '@piton/lifecycle';
import { readIfThere } from '../file-parts.ts';
import { isRunning, startTimeOf } from '../process/processes.ts';
import { frameBeside, isLeftBeside, removeBeside, toldOf, verdictBeside } from '../stand-in.ts';
import type { Told } from '../subscriptions/raised.ts';
import { type Journal, unlinkQuietly } from './journal.ts';

/** What a process that may still claim its frame is called. */
const FORWARDER = 'piton-forward';

export interface OrphanPorts {
  /** The directory that holds all journals of this environment. */
  readonly journals: string;
  readonly own: Journal;
  readonly replay: (directory: string) => void;
  readonly trouble: (what: string, remedy: string) => void;
  /** Somebody answered in our place. */
  readonly answered: (told: Told, verdict: FrameOutcome) => void;
}

/** Frames that nobody will claim any more: of servers that died, and of forwarders that found none. */
export async function adoptOrphans(ports: OrphanPorts): Promise<number> {
  let adopted = 0;
  for (const entry of readdirSync(ports.journals, { withFileTypes: true })) {
    const path = join(ports.journals, entry.name);
    if (entry.isDirectory() && path !== ports.own.directory && !isAlive(path)) ports.replay(path);
    else if (entry.isFile() && entry.name.endsWith('.frame')) adopted += await adopt(ports, path, Number(entry.name.split('.')[1]));
    else if (isLeftBeside(entry.name) && !existsSync(frameBeside(path))) unlinkQuietly(path);
  }
  return adopted;
}

async function adopt(ports: OrphanPorts, path: string, pid: number): Promise<number> {
  const bytes = readIfThere(path);
  if (!bytes) return 0; // its forwarder has claimed it
  const result = readFrameFile(bytes);
  if (result.ok && mayBeClaimed(pid, path, result.frame.timeoutMs)) return 0;
  if (!result.ok) {
    ports.trouble(
      `a journal file from a forwarder cannot be read (${result.error}): ${path}`,
      'report this as a bug, then delete the file',
    );
    return 0;
  }
  const { stamp } = result.frame;
  if (!(await ports.own.appendFrame(stamp, bytes.subarray(4)))) return 0;
  const verdict = verdictBeside(path, result.frame);
  ports.own.appendOutcome(verdict);
  unlinkQuietly(path);
  removeBeside(path);
  if (verdict.kind === 'decided') ports.answered(toldOf(result.frame), verdict);
  return 1;
}

/** `<stamp>.<pid>.frame`: as long as its forwarder lives it may still send the frame itself. A busy machine soon gives its pid to another. */
function mayBeClaimed(pid: number, path: string, timeoutMs: number): boolean {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age > timeoutMs || !isRunning(pid)) return false;
  const name = readIfThere(`/proc/${pid}/comm`)?.toString().trim();
  return name === undefined || name === FORWARDER;
}

/** A journal's `pid` file names its server and when that started: the pid alone may belong to another by now. */
function isAlive(directory: string): boolean {
  try {
    const [pid, started] = readFileSync(join(directory, 'pid'), 'utf8').trim().split(' ');
    return isRunning(Number(pid)) && startTimeOf(Number(pid)) === started;
  } catch {
    return false;
  }
}
