import { artifactErrors, type FindFile, parseArtifact } from '@piton/artifacts';
import type { Agent } from '@piton/contracts';
import { ARTIFACT_FILE, type FileLookup, type HookReading } from '@piton/hooks';
import { agentNames, lintContext } from './lint-context.ts';

/** How hooks are read: the same code for running, listing and trusting them. */
export function hookReading(agents: readonly Agent[], parseSettings: HookReading['parseSettings']): HookReading {
  const context = lintContext(agents);
  return {
    parseSettings,
    agents: agentNames(agents),
    settingsKeys: ['redact', 'checkpoints', 'post_commit_wait', 'context', 'context_template', 'handoff_minutes'],
    parseArtifact(text, bundled, findFile) {
      const parsed = parseArtifact(text, bundled);
      const input = { file: ARTIFACT_FILE, text, bundled, findFile: withoutText(findFile), context };
      // The parser has already reported problems of the front matter, and the registry reports those of fields.
      const lint = artifactErrors(input, parsed).filter(({ what }) => !parsed.problems.some((problem) => problem.what === what));
      return { entry: parsed.entry, errors: [...parsed.problems, ...lint].map(({ line, what }) => `line ${line}: ${what}`) };
    },
  };
}

/** Errors do not depend on the text of scripts. */
const withoutText =
  (findFile: FileLookup): FindFile =>
  (path) => {
    const file = findFile(path);
    return file && { ...file, text: null };
  };
