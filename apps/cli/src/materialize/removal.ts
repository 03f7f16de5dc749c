import type { Agent } from '@piton/contracts';
import { type FilePlan, filesBelow, isWritten, type MaterializeTarget, type Outcome, openStagedFiles, planDeletion } from './plan.ts';

/** What is deleted when a hook is removed from an agent's configuration. No files if it was not there. */
export function planRemoval(
  name: string,
  id: string,
  agent: Agent,
  target: MaterializeTarget,
  written: Map<string, Buffer | null>,
): Outcome {
  const nothing = { artifact: name, agent, nativeEvents: [], losses: [], folder: null, files: [], activation: null };
  if (agent.materializer === null) return nothing;
  const staged = openStagedFiles(agent, target, written);
  const made = agent.materializer.remove(id, staged);
  if (!made.ok) return { ...nothing, refused: { code: made.code, why: made.why } };
  const folder = staged.target(made.folder);
  const entries = made.files.map(({ path, text, executable }): FilePlan => {
    const file = { path: staged.target(path), before: staged.bytes(path), after: text === null ? null : Buffer.from(text) };
    staged.put(path, file.after);
    return { ...file, mode: executable ? 0o755 : 0o600, shown: true };
  });
  // Entries first, so that nothing runs a file that is about to be deleted.
  const ownFolder = isWritten(folder) ? filesBelow(folder).map(planDeletion) : [];
  return { ...nothing, folder: ownFolder.length > 0 ? folder : null, files: [...entries, ...ownFolder] };
}
