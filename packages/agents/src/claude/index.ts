import type { Agent } from '@piton/contracts';
import { CAPABILITIES, CONTEXT_LIMITS } from './capabilities.ts';
import { ownPlugin } from './declared-plugin.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { importer } from './import.ts';
import { installer, VARIABLES } from './install.ts';
import { materializer } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { readiness } from './readiness.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

export const claude: Agent = {
  id: 'claude',
  title: 'Claude Code',
  aliases: ['claude-code'],
  markers: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_ENTRYPOINT'],
  hookSwitches: {
    packages: ['@anthropic-ai/claude-code'],
    // A file may switch them off as well as a text; of the sources the user's is the one that they stand in.
    options: [
      '--bare\\b',
      '--safe-mode\\b',
      '--settings[ =](?!\\s*\\{)',
      '--settings[ =].*(?:disableAllHooks|\\\\u)',
      '--setting-sources[ =](?!\\S*user)',
    ],
    variables: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_SAFE_MODE', 'CLAUDE_CODE_SIMPLE'],
  },
  vendorPage: 'https://code.claude.com/docs/en/hooks',
  provenVersion: '2.1.325',
  versions,
  events: EVENTS,
  variables: VARIABLES,
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  contextLimits: CONTEXT_LIMITS,
  quirks: QUIRKS,
  installer,
  mcp,
  importer,
  ownPlugin,
  readiness,
  transcript,
  materializer,
  secrets: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_CUSTOM_HEADERS',
    'AWS_BEARER_TOKEN_BEDROCK',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
  ],
  decode,
  encode,
  noop,
  attended(variables, terminal) {
    const sign = variables.CLAUDE_CODE_SESSION_ATTENDED;
    return sign ? sign === '1' : terminal;
  },
  begin: (prompt) => ['claude', prompt],
  resume: (sessionId) => ['claude', '--resume', sessionId],
};
