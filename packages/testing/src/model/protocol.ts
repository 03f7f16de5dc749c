import type { Json } from './json.ts';
import type { ModelTurn } from './script.ts';

/** The result of a tool call as the model reads it. */
export interface ToolResult {
  /** The id of the call, or its name if the protocol has no ids. */
  readonly call: string;
  readonly text: string;
  readonly failed: boolean;
}

/** The content of a request, in any protocol. */
export interface Ask {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly string[];
  readonly userTexts: readonly string[];
  readonly toolResults: readonly ToolResult[];
  /** The JSON schema that the answer must satisfy, if there is one. */
  readonly schema?: unknown;
}

/** One server-sent event, or one line of those that stream lines. */
export interface StreamItem {
  readonly event?: string;
  readonly data: Json | string;
}

export interface Protocol {
  readonly name: string;
  /** It streams JSON lines, not server-sent events. */
  readonly lines?: true;
  /** Is this the path of model requests? */
  serves(path: string): boolean;
  /** The answer to other requests (token counts, model lists). */
  otherAnswer(path: string): Json | undefined;
  read(body: Json, path: string): Ask;
  whole(turn: ModelTurn, id: string, model: string): Json;
  stream(turn: ModelTurn, id: string, model: string): readonly StreamItem[];
}
