import { runnerSuite } from '@piton/testing/runner-suite';
import { BINARIES } from './home.ts';
import { runThroughForwarder } from './scripted-server.ts';

const path = BINARIES[0].binary();
runnerSuite(`the C runner, ${BINARIES[0].build}`, (exec) => runThroughForwarder(exec, path));
