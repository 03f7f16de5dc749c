import type { Tool } from '@piton/contracts';
import { claudeResponse, commandFailure } from '../shared/portable/claude-response.ts';

/** What a command that was waited for has said. */
const COMMAND = /<return-code>\s*(-?\d+)\s*<\/return-code>\s*<output>\n?([\s\S]*?)\n?<\/output>\s*$/;
const SHOWN = /^Here's the result of running `cat -n` on [^\n]*\n/;
const TOTAL = /\nTotal lines in file: \d+\s*$/;
const LINE_NUMBERS = /^ *\d+\t/gm;

const commandIn = (text: string): { readonly code?: string; readonly output: string } => {
  const [, code, output] = COMMAND.exec(text) ?? [];
  return code === undefined ? { output: text } : { code, output: output ?? '' };
};

/** The result in the shape that hooks know from Claude Code; it is always a text for the model. */
export function portableResponse(tool: Tool, text: string): unknown {
  if (tool.kind === 'shell') return claudeResponse(tool, { text: commandIn(text).output });
  if (tool.kind === 'read') return claudeResponse(tool, { text: text.replace(SHOWN, '').replace(TOTAL, '').replace(LINE_NUMBERS, '') });
  return claudeResponse(tool, { text });
}

export function failureOf(tool: Tool | undefined, text: string): string {
  const { code, output } = tool?.kind === 'shell' ? commandIn(text) : { output: text };
  return code === undefined ? text : commandFailure(code, output);
}
