import type * as z from 'zod';
import type { Reader } from './history.ts';
import type { History } from './quoted.ts';

/** A tool of `piton mcp`. It reads, and changes nothing. */
export interface HistoryTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model. */
  readonly description: string;
  readonly input: Input;
  read(reader: Reader, input: z.infer<Input>): Promise<History>;
}

/** Keeps the type of the input for `read`, and forgets it for the list of tools. */
export const historyTool = <Input extends z.ZodObject>(tool: HistoryTool<Input>): HistoryTool => tool as unknown as HistoryTool;
