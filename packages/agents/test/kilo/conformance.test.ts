import { conformance } from '@piton/testing/conformance';
import { kilo } from '../../src/kilo/index.ts';
import { OPENCODE_API } from '../shared/opencode-api.ts';
import { PLUGIN_CONFIGS } from '../shared/plugin-answer-reader.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';
import { readAnswer } from './answer-reader.ts';

const { documented, ...fixtures } = pluginFixtures('kilo');

conformance(kilo, { ...fixtures, ...OPENCODE_API, configs: PLUGIN_CONFIGS, sample: documented, read: readAnswer });
