import type { Agent } from '@piton/contracts';

/** Every mention of an agent that no real run has proven says so. */
export const agentTitle = ({ title, provenVersion }: Agent): string => (provenVersion === null ? `${title} (unproven)` : title);
