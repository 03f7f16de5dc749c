import type { GitPort } from '@piton/git';

/** A machine that is busy with something else: no git gets anywhere while it is held, and then all go on. */
export class SlowGit {
  #gate: Promise<void> | null = null;
  #open: () => void = () => {};
  /** How many have waited. */
  waited = 0;
  /** Every git that was started, by its arguments. */
  readonly started: (readonly string[])[] = [];

  get isHeld(): boolean {
    return this.#gate !== null;
  }

  hold(): void {
    this.#gate ??= new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  release(): void {
    this.#gate = null;
    this.#open();
  }

  async #pass(): Promise<void> {
    if (this.#gate !== null) this.waited += 1;
    while (this.#gate !== null) await this.#gate;
  }

  port(port: GitPort): GitPort {
    return {
      ask: async (question, options) => {
        await this.#pass();
        return port.ask(question, options);
      },
      within: (layout, directory) => {
        const git = port.within(layout, directory);
        return async (args, options) => {
          await this.#pass();
          this.started.push(args);
          return git(args, options);
        };
      },
    };
  }
}
