import type { Quirk } from '@piton/contracts';
import { quirksOf } from '../shared/opencode-api/quirks.ts';

const SEEN = 'seen in 7.7.7';

export const QUIRKS: readonly Quirk[] = [
  ...quirksOf(SEEN),
  {
    id: 'run-ends-at-idle',
    behaviour:
      'A prompt that is sent at session.idle is served by `kilo run` if it comes at once; after the few milliseconds that a hook takes the process has ended.',
    versions: SEEN,
    answer: '`continue` is sent as a prompt all the same, for where Kilo stays open; it is marked as degraded.',
    fixture: 'documented/session.idle.json',
  },
  {
    id: 'plugin-started-twice',
    behaviour: 'One plugin may be started twice in one process, and both hear everything.',
    versions: SEEN,
    answer: 'What was told is remembered for the whole process: the second one does nothing.',
    fixture: 'tells an event once though it was started twice',
  },
];
