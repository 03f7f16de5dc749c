import { signal } from '@preact/signals';

/** The turn that was asked for, from the outline or by a link; counted, so that the same one can be asked for again. */
export const askedTurn = signal<{ readonly number: number; readonly count: number } | undefined>(undefined);

export const openTurn = (number: number): void => {
  askedTurn.value = { number, count: (askedTurn.peek()?.count ?? 0) + 1 };
};
