// Writes docs/agents.md, docs/agents-proof.md and docs/agent-versions.md from the data of packages/agents and from what real runs have shown. With
// --check it only reports whether they are stale.
import { agentPage, proofPage } from './agent-pages.mjs';
import { versionsPage } from './agent-versions-page.mjs';
import { settle } from './generated.mjs';
import { importTypeScript } from './import-typescript.mjs';

const { AGENTS } = await importTypeScript('packages/agents/src/index.ts');
const { PROVEN, ...matrix } = await importTypeScript('packages/agents/src/proven.ts');
const { DRIVEN } = await importTypeScript('packages/agents/src/driven.ts');
const { DECISION_NAMES } = await importTypeScript('packages/contracts/src/index.ts');

const known = { ...matrix, decisions: DECISION_NAMES };
settle(
  [
    { path: 'docs/agents.md', text: agentPage(AGENTS, PROVEN, known) },
    { path: 'docs/agents-proof.md', text: proofPage(AGENTS, PROVEN, known) },
    { path: 'docs/agent-versions.md', text: versionsPage(AGENTS, DRIVEN) },
  ],
  [],
  'npm run pages',
);
