import type { Quirk } from '@piton/contracts';
import { quirksOf } from '../shared/opencode-api/quirks.ts';

const SEEN = 'seen in 1.18.33';

export const QUIRKS: readonly Quirk[] = [
  ...quirksOf(SEEN),
  {
    id: 'run-ends-at-idle',
    behaviour: 'A prompt that is sent at session.idle comes too late in `opencode run`: the process ends.',
    versions: SEEN,
    answer: 'Nothing is claimed: a stop is heard and cannot be refused. Whether a TUI would take the prompt was not seen.',
    fixture: 'refuses no stop',
  },
];
