import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, lastResortText } from '@piton/contracts';
import type { HookDefinition } from '../definition.ts';
import type { Registry } from '../registry/registry.ts';
import { readTrust } from '../trust/index-file.ts';
import { commandForDenies, deniesOf, isPolicy } from './denies.ts';
import { lastResortFile, readLastResorts, removeLastResort, textAt, writeLastResort } from './files.ts';

export interface LastResortPorts {
  readonly home: string;
  readonly config: string;
  readonly trustDir: string;
  readonly agents: readonly Agent[];
  readonly registry: Pick<Registry, 'list' | 'guardMode' | 'userHooksSeen'>;
}

/** Another may have read the root before us and written after us: whoever wrote looks once more. */
const MOST_ROUNDS = 3;

/** The policies of a root, read just now. */
export function policiesOf({ config, registry }: LastResortPorts, root: string | null): HookDefinition[] {
  const { hooks } = registry.list({ cwd: root ?? config, sessionRoot: root });
  return hooks.filter((hook) => hook.root === root && isPolicy(hook));
}

interface Read {
  readonly policies: readonly HookDefinition[];
  readonly text: string;
}

function readRoot(ports: LastResortPorts, root: string | null): Read {
  // Where checkpoints are taken, the stand-in keeps what a call names: it is asked also where there is no guard.
  const asked = {
    builtInGuard: root === null && ports.registry.guardMode() !== 'off',
    keeps: root === null && existsSync(join(ports.home, 'repositories')),
  };
  const policies = policiesOf(ports, root);
  return { policies, text: lastResortText({ root, denies: deniesOf(ports.agents, policies, asked, commandForDenies(ports.home)) }) };
}

/** A configuration that cannot be seen from here, or is being edited, says nothing about what must hold elsewhere. */
const isHidden = ({ registry, home }: LastResortPorts, root: string | null): boolean =>
  root === null && !registry.userHooksSeen() && textAt(home, null) !== undefined;

/** Replaces what is kept of a root by what was just read there, and gives the hooks back. May throw: the disk may be full. */
export function refreshLastResort(ports: LastResortPorts, root: string | null): readonly HookDefinition[] {
  if (isHidden(ports, root)) return [];
  let read = readRoot(ports, root);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (read.text !== textAt(ports.home, root)) writeLastResort(ports.home, root, read.text);
    const again = readRoot(ports, root);
    if (again.text === read.text) break;
    read = again;
  }
  return read.policies;
}

/** The user's and trusted projects': all of them, or those of which nothing that can be read is kept. Those that are trusted no more go. */
export function refreshLastResorts(ports: LastResortPorts, which: 'all' | 'missing'): readonly HookDefinition[] {
  // The files first: a project is trusted before its file is written, so what is in no index now is nobody's.
  const files = readLastResorts(ports.home);
  const there = new Set(files.filter(({ kept }) => kept !== undefined).map(({ name }) => name));
  const policies = refreshLastResort(ports, null);
  const { index, problem } = readTrust(ports.trustDir);
  if (problem !== undefined) return policies;
  const roots = Object.keys(index.roots);
  for (const root of roots) if (which === 'all' || !there.has(lastResortFile(root))) refreshLastResort(ports, root);
  const current = new Set([null, ...roots].map(lastResortFile));
  for (const { name } of files) if (!current.has(name)) removeLastResort(ports.home, name);
  return policies;
}

/** Roots of which is kept what they do not ask, or nothing that can be read; for whoever looks and changes nothing. */
export function staleLastResorts(ports: LastResortPorts): (string | null)[] {
  const { index, problem } = readTrust(ports.trustDir);
  const roots = [null, ...(problem === undefined ? Object.keys(index.roots) : [])];
  return roots.filter((root) => !isHidden(ports, root) && readRoot(ports, root).text !== textAt(ports.home, root));
}
