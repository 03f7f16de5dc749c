export { opencodePlugin as plugin } from '../common/opencode-api/plugin.ts';
