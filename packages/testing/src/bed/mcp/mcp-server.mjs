// An MCP server on stdio with two tools: `echo` says its text again, `fail` always fails.
import { createInterface } from 'node:readline';

const TOOLS = [
  { name: 'echo', description: 'Says a text again', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
  { name: 'fail', description: 'Always fails', inputSchema: { type: 'object', properties: {} } },
];

const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'mock', version: '1.0.0' } }),
  ping: () => ({}),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name, arguments: given }) =>
    name === 'fail'
      ? { isError: true, content: [{ type: 'text', text: 'it failed' }] }
      : { isError: false, content: [{ type: 'text', text: `echo: ${given?.text}` }] },
};

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue; // a notification wants no answer
  const result = results[method]?.(params ?? {});
  const answer = result ? { result } : { error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
