/** How a call went that a hook would have stopped. */
export const FATES = {
  succeeded: ['warn', 'succeeded'],
  failed: ['', 'failed anyway'],
  denied: ['good', 'denied by another'],
  unknown: ['', 'unknown'],
} as const;
