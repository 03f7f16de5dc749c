import type { Readiness } from '@piton/contracts';

/** Nothing has to be trusted. Whether it runs hooks at all its server says, at every start: no file here does. */
export const readiness: Readiness = {
  files: () => [],
  judge: () => ({
    runs: true,
    note: 'Auggie runs hooks where Augment has switched them on for your account: /hooks in it lists them then',
  }),
};
