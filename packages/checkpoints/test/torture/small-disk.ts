import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small disk of its own, with ballast beside what lies there. */
export class SmallDisk {
  readonly place: string;
  readonly #ballast: string;

  constructor(place: string) {
    this.place = place;
    this.#ballast = join(place, 'ballast');
  }

  #room(): number {
    const { bavail, bsize } = statfsSync(this.place);
    return bavail * bsize;
  }

  /** But for so many bytes. */
  fill(left: number): void {
    this.free();
    writeFileSync(this.#ballast, Buffer.alloc(Math.max(0, this.#room() - left)));
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  moves = (pick: <One>(some: readonly One[]) => One): Record<string, () => void> => ({
    'disk fills': () => this.fill(pick([0, 4096, 16_384, 65_536])),
    'disk fills more': () => this.fill(0),
    'room again': () => this.free(),
  });

  /** Somebody who writes a few small files may get stuck. */
  isFull = (): boolean => this.#room() < 512 * 1024;
}

/** What was written until the disk was full is what the disk shows. False: not all of it was. */
export function unlessFull(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    return false;
  }
}
