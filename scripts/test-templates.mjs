// Removes what the workers of a run made once for all of them. The workers cannot: they end by a signal.
import { rmSync } from 'node:fs';

export const teardown = () => rmSync(process.env.PITON_TEST_TEMPLATES, { recursive: true, force: true });
