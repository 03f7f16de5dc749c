import { findAgent } from '@piton/agents';
import type { CanonicalEvent } from '@piton/contracts';
import type { EventDetail } from '@piton/store';

/** The stored payload, read again as the server read it. Undefined if it has expired. */
export function decodedOf({ agent, nativeEvent, projectPath, envelope }: EventDetail): CanonicalEvent | undefined {
  if (envelope === null) return undefined;
  return findAgent(agent)?.decode(envelope.payload, { nativeEvent, cwd: projectPath, variables: {} });
}

export function inputText(detail: EventDetail): string | null {
  const input = decodedOf(detail)?.tool?.input;
  return input === undefined ? null : JSON.stringify(input, null, 2);
}

/** What the tool gave back, or why it failed. The output of a command as it stood on the screen. */
export function outputText(detail: EventDetail): string | null {
  const event = decodedOf(detail);
  if (event === undefined) return detail.text;
  const { tool_response: response, error } = event.portable;
  if (typeof error === 'string' && error !== '') return error;
  if (typeof response === 'string') return response;
  if (typeof response !== 'object' || response === null) return detail.text;
  const { stdout, stderr } = response as { stdout?: unknown; stderr?: unknown };
  if (typeof stdout === 'string') return [stdout, typeof stderr === 'string' ? stderr : ''].filter(Boolean).join('\n');
  return JSON.stringify(response, null, 2);
}
