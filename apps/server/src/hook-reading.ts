import { AGENTS } from '@piton/agents';
import { parseArtifact } from '@piton/artifacts';
import type { HookReading } from '@piton/hooks';

/** Every name of every agent, for `target_harnesses`. */
const agents: ReadonlyMap<string, string> = new Map(
  AGENTS.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name, id] as const)),
);

/** How hooks are read in Piton: the same for whoever decides, lists or trusts. */
export const hookReading = (parseSettings: HookReading['parseSettings']): HookReading => ({
  parseSettings,
  agents,
  settingsKeys: ['redact'],
  parseArtifact(text, bundled) {
    const { entry, problems } = parseArtifact(text, bundled);
    return { entry, errors: problems.map(({ line, what }) => `line ${line}: ${what}`) };
  },
});
