import { DRIVERS } from '@piton/testing';
import { agentSuite } from './suite.ts';

// Half of the agents, so that two files run side by side.
for (const driver of DRIVERS.filter((_, i) => i % 2 === 0)) agentSuite(driver);
