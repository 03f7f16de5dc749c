import type { Sandbox } from '../first-day/sandbox.ts';

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  /** Our sentence, and the JSON below it. */
  readonly mark: string;
  // biome-ignore lint/suspicious/noExplicitAny: each tool has its own records
  readonly body: any;
}

/** One session of an MCP client: its calls in order. It speaks the protocol by hand, so that no code of the server's is asked. */
export async function callTools(
  box: Sandbox,
  cwd: string,
  calls: readonly (readonly [tool: string, input: object])[],
  agent = 'codex',
): Promise<Answer[]> {
  const child = box.start(['mcp', '--agent', agent], { cwd });
  const answers = new Map<number, { content: { text: string }[]; isError?: boolean }>();
  let pending = '';
  const all = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      pending += chunk.toString('utf8');
      const lines = pending.split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) {
        const { id, result } = JSON.parse(line);
        answers.set(id, result);
      }
      if (answers.size === calls.length + 1) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error('the server ended before it answered')));
  });
  const send = (message: object): void => void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  send({ id: 0, method: 'initialize', params: client });
  send({ method: 'notifications/initialized' });
  for (const [at, [name, input]] of calls.entries()) send({ id: at + 1, method: 'tools/call', params: { name, arguments: input } });
  await all;
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  await ended;
  return calls.map((_, at) => {
    const { content, isError = false } = answers.get(at + 1) ?? { content: [] };
    const text = content.map((part) => part.text).join('\n');
    const [mark = '', body = 'null', ...more] = text.split('\n');
    if (more.length > 0) throw new Error(`more than two lines: ${text}`);
    return { text, isError, mark, body: JSON.parse(body) };
  });
}
