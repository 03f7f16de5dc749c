import { parseArtifact } from '@piton/artifacts';
import type { HookReading } from '@piton/hooks';
import { AGENT_NAMES } from './lint-world.ts';

/** How hooks are read in Piton: the same for whoever decides, lists or trusts. */
export const hookReading = (parseSettings: HookReading['parseSettings']): HookReading => ({
  parseSettings,
  agents: AGENT_NAMES,
  settingsKeys: ['redact'],
  parseArtifact(text, bundled) {
    const { entry, problems } = parseArtifact(text, bundled);
    return { entry, errors: problems.map(({ line, what }) => `line ${line}: ${what}`) };
  },
});
