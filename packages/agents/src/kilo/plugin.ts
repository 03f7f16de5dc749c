export { opencodePlugin as plugin } from '../shared/opencode-api/plugin.ts';
