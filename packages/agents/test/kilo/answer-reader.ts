import { OPENCODE_API } from '../shared/opencode-api.ts';
import { pluginReader } from '../shared/plugin-answer-reader.ts';

export const readAnswer = pluginReader(OPENCODE_API.heeded);
