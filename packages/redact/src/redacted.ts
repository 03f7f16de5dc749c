/** Private, because a spread drops private members: a copy with something raw put in is no longer redacted. A unique symbol would stay. */
declare class Mark {
  private readonly redacted: true;
}

/**
 * A value that went through the redactor. It reads like any T, but only this room can make one:
 * the mark is not exported, so a store that asks for it cannot be handed a raw body.
 */
export type Redacted<T> = T & Mark;

/** The one place where the mark is put on. Not exported by the room's index. */
export const brand = <T>(value: T): Redacted<T> => value as Redacted<T>;
