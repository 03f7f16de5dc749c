import type { Agent } from '@piton/contracts';
import { CAPABILITIES, CONTEXT_LIMITS } from './capabilities.ts';
import { claims } from './claims.ts';
import { decode } from './decode.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { importer } from './import.ts';
import { installer } from './install.ts';
import { materializer } from './materialize.ts';
import { mcp } from './mcp.ts';
import { QUIRKS } from './quirks.ts';
import { readiness } from './readiness.ts';
import { shape } from './shape.ts';
import { TOOLS } from './tools.ts';
import { transcript } from './transcript.ts';
import { versions } from './versions.ts';

export const copilot: Agent = {
  id: 'copilot',
  title: 'GitHub Copilot CLI',
  aliases: ['copilot-cli', 'github-copilot'],
  markers: ['COPILOT_CLI'],
  hookSwitches: { packages: ['@github/copilot'], variables: ['COPILOT_HOME'] },
  vendorPage: 'https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference',
  provenVersion: '1.0.102',
  versions,
  events: EVENTS,
  variables: [],
  tools: TOOLS,
  shape,
  capabilities: CAPABILITIES,
  contextLimits: CONTEXT_LIMITS,
  quirks: QUIRKS,
  installer,
  mcp,
  importer,
  readiness,
  transcript,
  priceList: 'github_copilot',
  materializer,
  secrets: ['COPILOT_GITHUB_TOKEN', 'COPILOT_PROVIDER_API_KEY', 'COPILOT_PROVIDER_BEARER_TOKEN'],
  alsoRuns: ['claude', 'vscode'],
  claims,
  decode,
  encode,
  noop,
  // A question that nobody can answer is a deny for Copilot CLI too, so that a wrong guess here does no harm.
  attended: (_variables, terminal) => terminal,
  begin: (prompt) => ['copilot', '-i', prompt],
  resume: (sessionId) => ['copilot', `--resume=${sessionId}`],
};
