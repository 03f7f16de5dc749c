/** What a tool call would do to Piton's own. */
export type Finding =
  | { readonly kind: 'place' /** Who does it: a program, or how the shell is told to. */; readonly by: string; readonly place: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'server'; readonly by: string }
  /** An agent that would run without the hooks. */
  | { readonly kind: 'agent'; readonly by: string; readonly how: string }
  /** Too long or too deeply nested to be read to its end. */
  | { readonly kind: 'unread' }
  /** The agent did not say what the call would do, or it could not be read. */
  | { readonly kind: 'incomplete'; readonly what: string };
