import { artifactErrors, type LookAt, parseArtifact } from '@piton/artifacts';
import { ARTIFACT_FILE, type HookReading, type LookAtFile } from '@piton/hooks';
import { AGENT_NAMES, LINT_WORLD } from './lint-world.ts';

/** How hooks are read in Piton: the same for whoever decides, lists or trusts. */
export const hookReading = (parseSettings: HookReading['parseSettings']): HookReading => ({
  parseSettings,
  agents: AGENT_NAMES,
  settingsKeys: ['redact', 'checkpoints', 'post_commit_wait'],
  parseArtifact(text, bundled, look) {
    const parsed = parseArtifact(text, bundled);
    const input = { file: ARTIFACT_FILE, text, bundled, look: withoutText(look), world: LINT_WORLD };
    // What the head lacks was said by its parser, what its fields lack is said by the registry.
    const lint = artifactErrors(input, parsed).filter(({ what }) => !parsed.problems.some((problem) => problem.what === what));
    return { entry: parsed.entry, errors: [...parsed.problems, ...lint].map(({ line, what }) => `line ${line}: ${what}`) };
  },
});

/** Errors need no look into scripts. */
const withoutText =
  (look: LookAtFile): LookAt =>
  (path) => {
    const file = look(path);
    return file && { ...file, text: null };
  };
