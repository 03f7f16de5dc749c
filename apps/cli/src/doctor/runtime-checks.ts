import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions, shellWord } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { isProgram } from '@piton/contracts/programs';
import { thisCommand } from '../command-name.ts';
import { currentRuntime, versionIn } from '../runtime/current.ts';
import { refuseDowngrade } from '../runtime/downgrade.ts';
import { installRuntime, missingParts, planRuntime } from '../runtime/installation.ts';
import { runtimeParts } from '../runtime/parts.ts';
import { replaceServer } from '../server/replacement.ts';
import { type Check, type Finding, problem } from './finding.ts';

/** Without these no build does anything. */
const PROGRAMS = ['piton-forward', 'server.cjs', 'client.cjs', 'cli.mjs'];

/** What the agents' command lines depend on: forwarder, client, server, and the link to the current version. */
export const runtimeCheck: Check = ({ context, places }) => {
  const parts = runtimeParts(context.distribution);
  const again = `${thisCommand(context)} init`;
  const plan = planRuntime(places, parts, context.version);
  const fix = async (): Promise<string> => {
    await refuseDowngrade(context, places, plan);
    installRuntime(places, plan);
    await replaceServer(places);
    return `installed ${plan.name}`;
  };
  const current = currentRuntime(places);
  if (current === undefined)
    return [problem('runtime.missing', { what: 'no runtime installed', where: places.current, remedy: again, fix })];
  // What another build consists of only that build knows.
  const missing =
    current === plan.name
      ? missingParts(places.current, parts)
      : PROGRAMS.filter((name) => statSync(join(places.current, name), { throwIfNoEntry: false }) === undefined);
  if (missing.length > 0)
    return [
      problem('runtime.incomplete', {
        what: `missing or incomplete in the runtime: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ' and more' : ''}`,
        where: places.current,
        remedy: again,
        fix,
      }),
    ];
  const found: Finding[] = [];
  if (!isProgram(places.forwarder))
    found.push(
      problem('runtime.forwarder', {
        what: 'the forwarder is not executable',
        where: places.forwarder,
        remedy: `chmod 700 ${shellWord(places.forwarder)}`,
      }),
    );
  if (current !== plan.name) {
    const version = versionIn(current);
    const isNewer = compareVersions(version, context.version) > 0;
    found.push(
      problem('runtime.stale', {
        what: `the runtime is ${current}, this command is ${plan.name}`,
        where: places.current,
        // To go back is a person's decision.
        ...(isNewer
          ? { remedy: `update this command: npm install -g @piton/cli@${version}. Or go back: ${again}` }
          : { remedy: again, fix }),
      }),
    );
  }
  return [...found, ...configCheck(places)];
};

/** The server knows where the settings are only from this file. */
function configCheck(places: Places): Finding[] {
  const file = join(places.home, 'place.json');
  let config: unknown;
  try {
    config = (JSON.parse(readFileSync(file, 'utf8')) as { config?: unknown }).config;
  } catch {
    return [problem('runtime.place', { what: 'cannot read where your settings are', where: file, remedy: 'piton init' })];
  }
  if (config === places.config) return [];
  return [
    problem('runtime.place', {
      what: `the server reads your settings from ${String(config)}, this shell from ${places.config}`,
      where: file,
      remedy: 'set XDG_CONFIG_HOME to the same value everywhere, then run `piton init`',
    }),
  ];
}
