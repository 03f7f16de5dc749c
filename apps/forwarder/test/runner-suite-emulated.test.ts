import { describeWhere } from '@piton/testing';
import { runnerSuite } from '@piton/testing/runner-suite';
import { EMULATED, notEmulated } from './home.ts';
import { runThroughForwarder } from './scripted-server.ts';

describeWhere(notEmulated, 'what is released for arm64, under an emulator', () => {
  const path = notEmulated === null ? EMULATED.binary() : '';
  runnerSuite(`the C runner, ${EMULATED.build}`, (exec) => runThroughForwarder(exec, path));
});
