import { OPENCODE_API } from '../common/opencode-api.ts';
import { pluginReader } from '../common/plugin-answer-reader.ts';

export const readAnswer = pluginReader(OPENCODE_API.heeded);
