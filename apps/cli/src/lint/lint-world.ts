import { AGENTS } from '@piton/agents';
import { lintWorld } from '@piton/lifecycle/reading';

export const LINT_WORLD = lintWorld(AGENTS);
