import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckpointSettings, readCheckpointSettings } from '@piton/checkpoints';
import { parseSettings } from '../settings-text.ts';

/** What counts in a working tree: the user's settings, then the project's, then those of one person in it. Asked a few times a turn. */
export function checkpointSettings(config: string): (root: string) => CheckpointSettings {
  const lastGood = new Map<string, unknown>();
  const read = (path: string): unknown => {
    try {
      // A link of a repository's may lead to a device that has no end.
      if (!statSync(path).isFile()) throw new Error('no file');
      const { value, errors } = parseSettings(readFileSync(path, 'utf8'));
      // Somebody is in the middle of an edit: what was there before holds on.
      if (errors.length > 0) return lastGood.get(path);
      lastGood.set(path, (value as { checkpoints?: unknown } | null | undefined)?.checkpoints);
    } catch {
      lastGood.delete(path);
    }
    return lastGood.get(path);
  };
  return (root) =>
    readCheckpointSettings(
      [join(config, 'settings.json'), join(root, '.piton', 'settings.json'), join(root, '.piton', 'settings.local.json')].map(read),
    );
}
