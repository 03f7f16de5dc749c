import { segmentsOf, UNKNOWN } from '../path-segments.ts';
import type { Text } from './expansion.ts';

const MOST_FILES = 64;
const MOST_TEXTS = 64;

/** What a command line has written into files, in case that it runs one of them. */
export class WrittenFiles {
  readonly #texts = new Map<string, readonly Text[]>();

  add(file: string, cwd: string | null, texts: readonly Text[]): void {
    const path = pathOf(file, cwd);
    if (path === undefined || texts.length === 0 || this.#texts.size >= MOST_FILES) return;
    this.#texts.set(path, [...(this.#texts.get(path) ?? []), ...texts].slice(0, MOST_TEXTS));
  }

  in(file: string, cwd: string | null): readonly Text[] {
    if (this.#texts.size === 0) return [];
    return this.#texts.get(pathOf(file, cwd) ?? '') ?? [];
  }
}

const pathOf = (file: string, cwd: string | null): string | undefined =>
  file === '' || file.includes(UNKNOWN) || file.length > 4096 ? undefined : segmentsOf(file, cwd).names.join('/');
