import type { Json } from './json.ts';
import type { ModelTurn } from './script.ts';

/** The result of a tool call as the model reads it. */
export interface ToolResult {
  /** The call's id, or its name where the protocol has no ids. */
  readonly call: string;
  readonly text: string;
  readonly failed: boolean;
}

/** What a request asks, whatever the protocol. */
export interface Ask {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly string[];
  readonly userTexts: readonly string[];
  readonly toolResults: readonly ToolResult[];
  /** The JSON schema that the answer must satisfy, if one is asked for. */
  readonly schema?: unknown;
}

/** One server-sent event. */
export interface StreamItem {
  readonly event?: string;
  readonly data: Json | string;
}

export interface Protocol {
  readonly name: string;
  /** Is this the path at which the model answers? */
  serves(path: string): boolean;
  /** The answer to what clients ask beside that (token counts, model lists). */
  aside(path: string): Json | undefined;
  read(body: Json, path: string): Ask;
  whole(turn: ModelTurn, id: string, model: string): Json;
  stream(turn: ModelTurn, id: string, model: string): readonly StreamItem[];
}
