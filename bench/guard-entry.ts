export { AGENTS } from '@piton/agents';
export { GIT_HOOK_MARK, GIT_HOOKS } from '@piton/contracts';
export { builtInGuardOf } from '@piton/hooks';
