import { OPENCODE_API } from '../shared/opencode-api.ts';
import { pluginReader } from '../shared/plugin-answer-reader.ts';

/** At idle a prompt of ours is served: seen with 7.7.7. */
export const readAnswer = pluginReader({ ...OPENCODE_API.heeded, 'session.idle': ['continue'] });
