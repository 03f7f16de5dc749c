import { runnerSuite } from '@piton/testing/runner-suite';
import { runCommand } from '../../src/run/index.ts';

runnerSuite('the TypeScript runner', (exec) => runCommand(exec));
