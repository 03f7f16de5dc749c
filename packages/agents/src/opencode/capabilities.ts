import { capabilitiesOf } from '../shared/opencode-api/capabilities.ts';

/** Seen with OpenCode 1.18.33. */
export const CAPABILITIES = capabilitiesOf('OpenCode', 'opencode');
