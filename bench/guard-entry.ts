export { AGENTS } from '@piton/agents';
export { GIT_HOOK_MARK, GIT_HOOKS } from '@piton/checkpoints';
export { builtInGuardOf } from '@piton/hooks';
