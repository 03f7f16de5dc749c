import type { Frame } from '@piton/contracts';

/** The events whose hooks are running. PITON_DEPTH counts only inside one of them, so a stale or forged value has no effect. */
export class Runs {
  readonly #open = new Map<string, number>();

  isOpen(run: string): boolean {
    return run !== '' && this.#open.has(run);
  }

  /** The run of a hook inside which this frame was sent, and how deep it is nested. */
  nestingOf({ run, depth }: Frame): { readonly parent: string | null; readonly depth: number } {
    return this.isOpen(run) ? { parent: run, depth: Math.max(1, depth) } : { parent: null, depth: 0 };
  }

  /** The same event may run hooks before and after its answer. */
  open(run: string): () => void {
    this.#open.set(run, (this.#open.get(run) ?? 0) + 1);
    return () => {
      const left = (this.#open.get(run) ?? 1) - 1;
      if (left > 0) this.#open.set(run, left);
      else this.#open.delete(run);
    };
  }
}
