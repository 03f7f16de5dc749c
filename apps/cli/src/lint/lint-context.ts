import { AGENTS } from '@piton/agents';
import { lintContext } from '@piton/lifecycle/reading';

export const LINT_CONTEXT = lintContext(AGENTS);
