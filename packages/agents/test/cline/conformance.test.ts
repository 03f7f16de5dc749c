import { conformance } from '@piton/testing/conformance';
import { cline } from '../../src/cline/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { readAnswer } from './answer-reader.ts';

const { documented, ...given } = fixturesOf('cline');
const called = (payload: Readonly<Record<string, unknown>>) => (payload.tool_call ?? payload.tool_result) as { name: string } | undefined;
const foreign = { says: /line 1, column 1.*somebody else wrote/ };

conformance(cline, {
  ...given,
  sessionOf: (payload) => (payload.sessionContext as { rootSessionId: string }).rootSessionId,
  toolOf: (payload) => called(payload)?.name,
  toolKinds: { run_commands: 'shell', editor: 'edit', read_files: 'read', mock__echo: 'mcp', spawn_agent: 'subagent' },
  // A file is ours or somebody else's as a whole.
  configs: {
    good: {},
    broken: {
      'a program of the user': { text: '#!/bin/sh\n./guard.sh\n', ...foreign },
      'a program in another language': { text: '#!/usr/bin/env python3\nprint("{}")\n', ...foreign },
      'an empty file': { text: '', ...foreign },
      'the line of another agent': { text: '#!/bin/sh\n/x/runtime/current/piton-forward claude Stop user 60000 -\n', ...foreign },
    },
  },
  sample: (event) => documented(event === 'PreCompact' ? 'TaskStart' : event),
  read: readAnswer,
});
