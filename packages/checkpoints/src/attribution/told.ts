import type { Place } from '../place.ts';
import type { Objects } from './objects.ts';
import type { Steps } from './steps.ts';

/** Whom to ask about the checkpoints, and what is known of them. */
export interface Told {
  readonly place: Place;
  readonly objects: Objects;
  readonly steps: Steps;
}
