import type { Agent, CapabilityTable } from '@piton/contracts';
import { pluginEncode } from '../plugin-encode.ts';
import { nativeInput } from './tools.ts';

export const encodeFor = (title: string, capabilities: CapabilityTable): Agent['encode'] =>
  pluginEncode({
    title,
    capabilities,
    // A command that ended with an error is still in hand there.
    rowOf: (event) => (event.nativeEvent === 'tool.execute.after' ? 'post_tool_use' : event.event),
    nativeInput: (event, input) => (event.tool === undefined ? input : nativeInput(event.tool.nativeName, input)),
  });
