import { checkpointsTool, explainTool } from './checkpoint-tools.ts';
import { handoffTool, ledgerTool } from './ledger-tools.ts';
import { searchTool } from './search-tool.ts';
import { sessionTool } from './session-tool.ts';
import type { HistoryTool } from './tool.ts';

/** All tools, in the order in which agents list them. */
export const TOOLS: readonly HistoryTool[] = [searchTool, sessionTool, ledgerTool, handoffTool, checkpointsTool, explainTool];
