import { capabilitiesOf } from '../shared/opencode-api/capabilities.ts';

/** Seen with Kilo 7.7.7. */
export const CAPABILITIES = capabilitiesOf('Kilo', 'kilo');
