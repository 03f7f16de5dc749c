import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onDisk, type RawPath } from '../raw-path.ts';
import type { Held } from '../snapshot/observe.ts';
import { CALL_FILE, type KeptCall, type KeptFile, keptFolder } from './kept-call.ts';
import { namesIn } from './kept-files.ts';

/** What a server has read before edits, until git has it: should the server be killed, the next one finds it here. */
const heldFolder = (home: string): string => join(home, 'held');

/** Copies what was read of a call's files. Gives back what removes the copy; never throws: then a killed server loses them, as before. */
export function copyHeld(home: string, call: Omit<KeptCall, 'files'>, held: ReadonlyMap<RawPath, Held>): () => void {
  const folder = heldFolder(home);
  const [draft, place] = [join(folder, `.${call.stamp}.${process.pid}`), join(folder, `${call.stamp}-${process.pid}`)];
  const remove = (path: string): void => rmSync(path, { recursive: true, force: true });
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    const files = [...held].flatMap(([path, one], at) => keptFile(draft, String(at), onDisk(call.root, path).toString(), one));
    writeFileSync(join(draft, CALL_FILE), JSON.stringify({ ...call, files }), { mode: 0o600 });
    renameSync(draft, place);
  } catch {
    remove(draft);
  }
  return () => remove(place);
}

function keptFile(folder: string, content: string, path: string, { look, bytes }: Held): KeptFile[] {
  if (look.kind === 'absent') return [{ path, kind: 'absent' }];
  if (bytes === null || (look.kind !== 'file' && look.kind !== 'symlink')) return [];
  if (look.kind === 'symlink') return [{ path, kind: 'symlink', target: bytes.toString('base64') }];
  writeFileSync(join(folder, content), bytes, { mode: 0o600 });
  return [{ path, kind: 'file', content, executable: look.executable }];
}

/** When a server starts: what one that was killed has left is taken up like what stand-ins have kept. */
export function adoptHeldCopies(home: string): void {
  const folder = heldFolder(home);
  for (const name of namesIn(folder)) {
    try {
      if (name.startsWith('.')) rmSync(join(folder, name), { recursive: true, force: true });
      else {
        mkdirSync(keptFolder(home), { recursive: true, mode: 0o700 });
        renameSync(join(folder, name), join(keptFolder(home), name));
      }
    } catch {
      // another took it
    }
  }
}
