import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../first-day/sandbox.ts';

/** A command that changes something on the person's machine. */
export interface Row {
  readonly name: string;
  readonly command: readonly string[];
  /** Makes it possible, and says where it runs. */
  readonly prepare: (box: Sandbox) => Promise<string> | string;
  /** How the command is told to go on. */
  readonly yes?: readonly string[];
  /** Commands that bring everything back; left out where it cannot be undone, which the question says. */
  readonly undo?: readonly (readonly string[])[];
}

const OWN_SETTINGS =
  '{\n  "model": "opus", // mine\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n';

const repository = (box: Sandbox): string => box.repository();

export const ROWS: readonly Row[] = [
  {
    name: 'init on a new machine',
    command: ['init', '--agent', 'claude'],
    prepare: repository,
    undo: [['uninstall', '--yes']],
  },
  {
    name: "init beside a person's own settings and git hooks",
    command: ['init', '--agent', 'claude', '--agent', 'codex', '--link'],
    prepare(box) {
      const root = box.repository();
      box.write('.claude/settings.json', OWN_SETTINGS, 0o640);
      box.write(join(root, '.git/hooks/post-commit'), '#!/bin/sh\necho mine\n', 0o755);
      box.write(join(root, '.git/hooks/pre-push'), '#!/usr/bin/env node\n', 0o755);
      symlinkSync('/bin/true', join(root, '.git/hooks/commit-msg'));
      return root;
    },
    undo: [['uninstall', '--yes']],
  },
  {
    name: 'init again in another repository',
    command: ['init', '--agent', 'claude'],
    async prepare(box) {
      await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: box.repository('first') });
      return box.repository('second');
    },
  },
  {
    name: 'init --project',
    command: ['init', '--agent', 'claude', '--project'],
    prepare: repository,
    undo: [['uninstall', '--project', '--yes']],
  },
];
