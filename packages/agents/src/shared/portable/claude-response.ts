import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../json-fields.ts';

/** What an agent says of a call that succeeded. Most say a text for the model and little more. */
export interface ToolResult {
  readonly text: string;
  readonly stderr?: string | undefined;
  readonly interrupted?: boolean | undefined;
  /** The file before and after; null where there was none. */
  readonly before?: string | null | undefined;
  readonly after?: string | undefined;
  /** The change as a unified diff. */
  readonly diff?: string | undefined;
  /** The content of an MCP tool, in its blocks. */
  readonly blocks?: readonly unknown[] | undefined;
  readonly agentId?: string | undefined;
  /** The subagent works on after the call. */
  readonly launched?: boolean | undefined;
}

type Shape = (tool: Tool, result: ToolResult) => unknown;

/**
 * A tool's result in the shape that Claude Code gives it, because published hooks look into it: the native form stays in `piton.native`.
 * A tool that has no such shape keeps the text.
 */
export const claudeResponse: Shape = (tool, result) => {
  if (tool.kind === 'mcp') return result.blocks ?? [{ type: 'text', text: result.text }];
  if (tool.kind === 'shell') return shell(tool, result);
  const shape = Object.hasOwn(SHAPES, tool.name) ? SHAPES[tool.name] : undefined;
  return shape?.(tool, result) ?? result.text;
};

const shell = (_tool: Tool, { text, stderr = '', interrupted = false }: ToolResult): JsonObject => ({
  ...{ stdout: text, stderr, interrupted, isImage: false },
});

const write: Shape = ({ input, files: [file] }, { before, after, diff }) =>
  file === undefined
    ? undefined
    : {
        type: typeof before === 'string' ? 'update' : 'create',
        filePath: file,
        content: after ?? textOf(input, 'content') ?? '',
        structuredPatch: hunksOf(diff),
        originalFile: before ?? null,
        userModified: false,
      };

const edit: Shape = ({ input, files: [file] }, { before, diff }) =>
  file === undefined
    ? undefined
    : {
        filePath: file,
        oldString: textOf(input, 'old_string') ?? '',
        newString: textOf(input, 'new_string') ?? '',
        originalFile: before ?? null,
        structuredPatch: hunksOf(diff),
        userModified: false,
        replaceAll: input.replace_all === true,
      };

const multiEdit: Shape = ({ input, files: [file] }, { before, diff }) =>
  file === undefined
    ? undefined
    : {
        filePath: file,
        edits: Array.isArray(input.edits) ? input.edits : [],
        originalFile: before ?? null,
        structuredPatch: hunksOf(diff),
        userModified: false,
      };

const read: Shape = ({ input, files }, { text }) => {
  const [file] = files;
  if (file === undefined || files.length > 1) return undefined;
  const startLine = typeof input.offset === 'number' && input.offset > 0 ? input.offset : 1;
  const numLines = text.split('\n').length;
  return { type: 'text', file: { filePath: file, content: text, numLines, startLine, totalLines: startLine - 1 + numLines } };
};

/** A line that counts what was found, or says that there was nothing. */
const SUMMARY = /^(?:found |no (?:files|matches)|\(?results? (?:are|is)|\d+ (?:files?|matches)\b)/i;
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '' && !SUMMARY.test(line.trim()));

const glob: Shape = (_tool, { text }) => {
  const filenames = linesOf(text);
  return { filenames, durationMs: 0, numFiles: filenames.length, truncated: false };
};

/** A line of a file that was found, as `grep -n` and its relatives print it. */
const MATCHED_LINE = /^(?:[^:\n]*:)?\d+[:-]|^\s*(?:line|L)\s*\d+:|^---$/im;

const grep: Shape = ({ input }, { text }) => {
  const lines = linesOf(text);
  const asked = textOf(input, 'output_mode');
  const mode = asked ?? (MATCHED_LINE.test(text) ? 'content' : 'files_with_matches');
  if (mode === 'files_with_matches') return { mode, filenames: lines, numFiles: lines.length };
  return { mode, filenames: [], numFiles: 0, content: text, numLines: lines.length };
};

/** No agent but Claude Code says what was on the list before. */
const todos: Shape = ({ input }) => (Array.isArray(input.todos) ? { oldTodos: [], newTodos: input.todos } : undefined);

const subagent: Shape = ({ input }, { text, agentId, launched }) => ({
  status: launched ? 'async_launched' : 'completed',
  prompt: textOf(input, 'prompt') ?? '',
  ...(agentId !== undefined && { agentId }),
  ...(textOf(input, 'subagent_type') !== undefined && { agentType: input.subagent_type }),
  content: [{ type: 'text', text }],
});

const fetched: Shape = ({ input }, { text }) => ({ url: textOf(input, 'url') ?? '', result: text, bytes: Buffer.byteLength(text) });
const searched: Shape = ({ input }, { text }) => ({ query: textOf(input, 'query') ?? '', results: [text] });

const SHAPES: Readonly<Record<string, Shape>> = {
  Write: write,
  Edit: edit,
  NotebookEdit: edit,
  MultiEdit: multiEdit,
  Read: read,
  Glob: glob,
  Grep: grep,
  TodoWrite: todos,
  Agent: subagent,
  WebFetch: fetched,
  WebSearch: searched,
};

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The hunks of a unified diff, as Claude Code lists them. */
export function hunksOf(diff: string | undefined): JsonObject[] {
  const hunks: { head: JsonObject; lines: string[] }[] = [];
  for (const line of diff?.split('\n') ?? []) {
    const [found, oldStart, oldLines = '1', newStart, newLines = '1'] = HUNK.exec(line) ?? [];
    if (found !== undefined)
      hunks.push({
        head: { oldStart: Number(oldStart), oldLines: Number(oldLines), newStart: Number(newStart), newLines: Number(newLines) },
        lines: [],
      });
    else if (/^[-+ \\]/.test(line)) hunks.at(-1)?.lines.push(line);
  }
  return hunks.map(({ head, lines }) => ({ ...head, lines }));
}

/** The texts of content blocks, a line each. */
export function blockTexts(blocks: unknown): string | undefined {
  if (!Array.isArray(blocks)) return undefined;
  return blocks.flatMap((block) => (isObject(block) ? (textOf(block, 'text') ?? []) : [])).join('\n');
}

/** How Claude Code says that a command failed: the exit code on the first line, then the output. */
export const commandFailure = (code: number | string, output: string): string => `Exit code ${code}\n${output.trimEnd()}`.trimEnd();
