import type { Quirk } from '@piton/contracts';
import { quirksOf } from '../shared/opencode-api/quirks.ts';

const SEEN = 'seen in 7.7.7';

export const QUIRKS: readonly Quirk[] = [
  ...quirksOf(SEEN),
  {
    id: 'plugin-started-twice',
    behaviour: 'One plugin may be started twice in one process, and both hear everything.',
    versions: SEEN,
    answer: 'What was told is remembered for the whole process: the second one does nothing.',
    fixture: 'tells an event once though it was started twice',
  },
];
