import type { Agent } from '@piton/contracts';
import { type FilePlan, filesBelow, type Ground, gone, isWritten, type Outcome, openDesk } from './plan.ts';

/** What goes when a hook is taken out of an agent's configuration. No files: it was not there. */
export function planRemoval(name: string, id: string, agent: Agent, ground: Ground, written: Map<string, Buffer | null>): Outcome {
  const nothing = { artifact: name, agent, nativeEvents: [], losses: [], folder: null, files: [], activation: null };
  if (agent.materializer === null) return nothing;
  const desk = openDesk(agent, ground, written);
  const made = agent.materializer.remove(id, desk);
  if (!made.ok) return { ...nothing, refused: { code: made.code, why: made.why } };
  const folder = desk.target(made.folder);
  const entries = made.files.map(({ path, text, executable }): FilePlan => {
    const file = { path: desk.target(path), before: desk.bytes(path), after: text === null ? null : Buffer.from(text) };
    desk.keep(path, file.after);
    return { ...file, mode: executable ? 0o755 : 0o600, shown: true };
  });
  // The entries first: nothing runs a file that is going.
  const own = isWritten(folder) ? filesBelow(folder).map(gone) : [];
  return { ...nothing, folder: own.length > 0 ? folder : null, files: [...entries, ...own] };
}
