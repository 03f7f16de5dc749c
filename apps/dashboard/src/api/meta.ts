import type { PageMeta } from '@piton/contracts/page';
import { signal } from '@preact/signals';

/** Read once when the page begins. */
export const meta = signal<PageMeta | undefined>(undefined);
