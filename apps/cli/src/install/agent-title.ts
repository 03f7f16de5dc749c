import type { Agent } from '@piton/contracts';

/** Wherever an agent appears, one that no real run has shown says so. */
export const agentTitle = ({ title, provenVersion }: Agent): string => (provenVersion === null ? `${title} (unproven)` : title);
