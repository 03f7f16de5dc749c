export function hookManagers(): string | null;
export function preCommit(): string | null;
