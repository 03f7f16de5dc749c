import { artifactErrors, type LookAt, parseArtifact } from '@piton/artifacts';
import type { Agent } from '@piton/contracts';
import { ARTIFACT_FILE, type FileLookup, type HookReading } from '@piton/hooks';
import { agentNames, lintWorld } from './lint-world.ts';

/** How hooks are read in Piton: the same for whoever decides, lists or trusts. */
export function hookReading(agents: readonly Agent[], parseSettings: HookReading['parseSettings']): HookReading {
  const world = lintWorld(agents);
  return {
    parseSettings,
    agents: agentNames(agents),
    settingsKeys: ['redact', 'checkpoints', 'post_commit_wait'],
    parseArtifact(text, bundled, look) {
      const parsed = parseArtifact(text, bundled);
      const input = { file: ARTIFACT_FILE, text, bundled, look: withoutText(look), world };
      // What the head lacks was said by its parser, what its fields lack is said by the registry.
      const lint = artifactErrors(input, parsed).filter(({ what }) => !parsed.problems.some((problem) => problem.what === what));
      return { entry: parsed.entry, errors: [...parsed.problems, ...lint].map(({ line, what }) => `line ${line}: ${what}`) };
    },
  };
}

/** Errors need no look into scripts. */
const withoutText =
  (look: FileLookup): LookAt =>
  (path) => {
    const file = look(path);
    return file && { ...file, text: null };
  };
