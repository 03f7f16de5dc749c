// What all answers of the page's API share. Times are ms since 1970, durations ms. Every text in an answer was written by an agent,
// a tool, a web page or a person: redacted, and never to be trusted.

/** A list in parts. `next` goes into `?after=` for the part behind it; null at the end. It says nothing to a reader. */
export interface PageList<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** A text with a limit. */
export interface PageText {
  readonly text: string;
  /** How many characters were left out at the end; 0 if it is whole. */
  readonly cut: number;
  /** The path of the API that answers the whole text (`PageWholeText`); null if nothing was cut. */
  readonly whole: string | null;
}

/** GET of `PageText.whole`. At most four million characters. */
export interface PageWholeText {
  readonly text: string;
  readonly cut: number;
}

/** Every answer whose status is not 200. */
export interface PageProblem {
  /** One word for programs. `token`: there is none, or it is unknown: the link has to be opened anew. */
  readonly problem: 'token' | 'code' | 'refused' | 'not-found' | 'bad-request' | 'too-large' | 'busy' | 'store' | 'git' | 'failed';
  readonly error: string;
  /** What to do, if anybody can do something. */
  readonly fix: string | null;
}

/** A command of Piton to copy, as it is typed in a shell. */
export interface PageCommand {
  readonly does:
    | 'rewind'
    | 'rewind-undo'
    | 'wrong-deny'
    | 'resume'
    | 'handoff'
    | 'export'
    | 'explain'
    | 'trust'
    | 'promote'
    | 'backtest'
    | 'test';
  readonly command: string;
  /** The directory in which to type it; null if it does not matter. */
  readonly directory: string | null;
}
