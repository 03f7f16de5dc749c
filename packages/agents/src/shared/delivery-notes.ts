import type { ActiveDecision, Delivery } from '@piton/contracts';

export const noPlaceFor = (decision: ActiveDecision, title: string, nativeEvent: string): Delivery => ({
  decision,
  how: 'none',
  note: `${title} takes no ${decision} on ${nativeEvent}`,
});

/** A hook asked for the end of the run, and the agent cannot end it here: said beside the deny. */
export const withoutEnd = (delivered: readonly Delivery[]): Delivery[] =>
  delivered.map((delivery) =>
    delivery.decision === 'deny'
      ? { ...delivery, note: [delivery.note, 'the run cannot be ended here'].filter(Boolean).join('; ') }
      : delivery,
  );
