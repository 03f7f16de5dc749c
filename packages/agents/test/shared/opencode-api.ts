import type { JsonObject, ToolKind } from '@piton/contracts';

type Payload = { readonly input?: Input; readonly rootID?: string };
type Input = {
  readonly sessionID?: string;
  readonly tool?: string;
  readonly event?: { readonly type: string; readonly properties: Properties };
};
type Properties = {
  readonly sessionID?: string;
  readonly info?: { readonly id?: string; readonly parentID?: string };
  readonly part?: { readonly tool?: string };
  readonly permission?: string;
};

const TOOL_KINDS: Readonly<Record<string, ToolKind>> = {
  bash: 'shell',
  write: 'edit',
  edit: 'edit',
  read: 'read',
  todowrite: 'todo',
  mock_echo: 'mcp',
  task: 'subagent',
};

/** What the plugin API of OpenCode and Kilo says, read from their recordings. */
export const OPENCODE_API = {
  sessionOf(payload: JsonObject): unknown {
    const { input, rootID } = payload as Payload;
    const properties = input?.event?.properties;
    return rootID ?? properties?.info?.parentID ?? input?.sessionID ?? properties?.sessionID ?? properties?.info?.id;
  },
  toolOf(payload: JsonObject): unknown {
    const { input } = payload as Payload;
    return input?.tool ?? input?.event?.properties.part?.tool ?? input?.event?.properties.permission;
  },
  toolKinds: TOOL_KINDS,
  heeded: {
    'session.created': ['context'],
    'session.resumed': ['context'],
    'session.created.child': ['context'],
    'chat.message': ['deny', 'context'],
    'tool.execute.before': ['deny', 'input', 'context'], // context waits for the result
    'tool.execute.after': ['output', 'context'],
    'session.idle': ['continue'],
    'experimental.session.compacting': ['context'], // it waits for the summary
  },
} as const;
