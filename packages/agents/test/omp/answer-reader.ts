import { pluginReader } from '../shared/plugin-answer-reader.ts';

export const readAnswer = pluginReader({
  session_start: ['context'],
  session_switch: ['context'],
  'session_start.child': ['context'],
  before_agent_start: ['deny', 'context'],
  tool_call: ['deny', 'input', 'context'], // context waits for the result
  tool_result: ['output', 'context'],
  'tool_result.error': ['output', 'context'],
  session_stop: ['continue'],
  session_before_compact: ['deny', 'context'], // it waits for the compaction
});
