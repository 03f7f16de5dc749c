import type { Quirk } from '@piton/contracts';
import { quirksOf } from '../shared/opencode-api/quirks.ts';

const SEEN = 'seen in 1.18.33';

export const QUIRKS: readonly Quirk[] = [
  ...quirksOf(SEEN),
  {
    id: 'run-ends-at-idle',
    behaviour: 'A prompt that is sent at session.idle comes too late in `opencode run`: the process ends.',
    versions: SEEN,
    answer:
      '`continue` is sent as a prompt all the same, for where OpenCode stays open; it is marked as degraded, and was not seen to work.',
    fixture: 'says that a run may end before it goes on',
  },
];
