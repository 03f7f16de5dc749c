// A file of its own: the suite waits for many time limits, and files run side by side.
import { runnerSuite } from '@piton/testing/runner-suite';
import { BINARIES } from './home.ts';
import { runThroughForwarder } from './scripted-server.ts';

const path = BINARIES[1].binary();
runnerSuite(`the C runner, ${BINARIES[1].build}`, (exec) => runThroughForwarder(exec, path));
