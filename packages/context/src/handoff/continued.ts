/** The first words of a handed-off session's prompt. What follows is the id of the session that it continues. */
const MARK = 'Piton handoff from session ';
const CONTINUES = new RegExp(`^\\W{0,2}${MARK}([0-9A-Z]{26})\\b`);

export const firstLineOf = (session: string, agent: string): string =>
  `${MARK}${session} (${agent}). Continue its work. The files are as it left them.`;

/** The session that this one continues, by its first prompt. */
export const continuedBy = ({ firstPrompt }: { readonly firstPrompt: string | null }): string | undefined =>
  CONTINUES.exec(firstPrompt ?? '')?.[1];
