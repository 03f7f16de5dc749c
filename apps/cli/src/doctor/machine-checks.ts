import { execFileSync } from 'node:child_process';
import { lstatSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shellWord } from '@piton/contracts';
import { isProgram, notedPrograms } from '@piton/contracts/programs';
import { ALLOW_UNDER_AGENT } from '../agents/under-agent.ts';
import { reasonOf } from '../failure.ts';
import { finderHere, findHere } from '../programs.ts';
import { recordedNode } from '../runtime/installation.ts';
import { type Check, type Finding, note, problem } from './finding.ts';

const MIN_FREE_BYTES = 100 * 1024 * 1024;

export const diskCheck: Check = ({ places }) => {
  const found: Finding[] = [];
  const disk = statfsSync(places.home);
  const free = disk.bavail * disk.bsize;
  if (free < MIN_FREE_BYTES) {
    found.push(
      problem('disk.full', {
        what: `the disk is nearly full: ${Math.floor(free / 1024 / 1024)} MB free`,
        where: places.home,
        remedy: 'free some space. Until then events wait in the journal',
      }),
    );
  }
  const probe = join(places.home, `.probe-${process.pid}`);
  try {
    writeFileSync(probe, '', { mode: 0o600 });
    rmSync(probe);
  } catch (error) {
    found.push(
      problem('home.read-only', {
        what: `cannot write to Piton's home: ${reasonOf(error)}`,
        where: places.home,
        remedy: 'make it writable, or set PITON_HOME to a directory that is',
      }),
    );
  }
  return found;
};

export const privacyCheck: Check = ({ places }) => {
  const uid = process.geteuid?.();
  return [places.home, places.environment, places.journal, places.logs, dirname(places.sockets), places.sockets].flatMap(
    (path): Finding[] => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (!stat) return [];
      if (!stat.isDirectory())
        return [problem('place.wrong', { what: 'not a directory', where: path, remedy: `check what it is, then: rm ${shellWord(path)}` })];
      if (uid !== undefined && stat.uid !== uid)
        return [
          problem('place.foreign', {
            what: 'the directory belongs to another user, so Piton does not use it',
            where: path,
            remedy: 'ask its owner to remove it',
          }),
        ];
      if ((stat.mode & 0o077) === 0) return [];
      return [
        problem('place.open', {
          what: 'other users can read the directory, so Piton does not use it',
          where: path,
          remedy: `chmod 700 ${shellWord(path)}`,
        }),
      ];
    },
  );
};

export const nodeCheck: Check = ({ context, places }) => {
  const recorded = recordedNode(places);
  const found: Finding[] = [];
  if (recorded) {
    const version = versionOf(recorded, context.env);
    if (!version)
      found.push(
        problem('node.gone', {
          what: 'the Node that the runtime was set up with no longer runs',
          where: recorded,
          remedy: 'run `piton init` with the Node you use now',
        }),
      );
    else if (isOld(version))
      found.push(
        problem('node.old', {
          what: `Node ${version} is too old; Piton needs 20.19`,
          where: recorded,
          remedy: 'run `piton init` with a newer Node',
        }),
      );
  }
  const other = findHere(context, 'node');
  const onPath = other && versionOf(other, context.env);
  if (!onPath) found.push(note('node.path', { what: 'no node on PATH', remedy: 'nothing to do while the recorded one works' }));
  else if (isOld(onPath))
    found.push(
      note('node.path', {
        what: `the node on PATH is ${onPath}, too old to replace the recorded one`,
        remedy: 'put Node 20.19 or newer on PATH',
      }),
    );
  return found;
};

/** Noted at `init`. Where one has gone the server looks for another, and says nothing: what it found may be an older one. */
export const programsCheck: Check = ({ context, places }) => {
  const noted = notedPrograms(places.home);
  return (['git', 'bwrap'] as const).flatMap((name): Finding[] => {
    const file = noted[name];
    if (file === undefined || isProgram(file)) return [];
    const other = finderHere(context, name)();
    if (other === undefined)
      return [
        problem('program.gone', {
          what: `${name} has gone, and there is no other on PATH`,
          where: file,
          remedy: `install ${name}, then run \`piton init\``,
        }),
      ];
    return [
      note('program.gone', { what: `${name} has gone; Piton uses ${other} instead`, where: file, remedy: 'run `piton init` to note it' }),
    ];
  });
};

export const allowUnderAgentCheck: Check = ({ context }) =>
  context.env[ALLOW_UNDER_AGENT] === undefined
    ? []
    : [
        note('agent.lifted', {
          what: `${ALLOW_UNDER_AGENT} is set, so an agent can trust hooks and change settings by itself`,
          remedy: `unset ${ALLOW_UNDER_AGENT} outside tests and CI`,
        }),
      ];

type Environment = Readonly<Record<string, string | undefined>>;

/** Of the Node that runs this command the version is known: to start it once more would say nothing new. */
function versionOf(node: string, env: Environment): string | undefined {
  try {
    if (realpathSync(node) === realpathSync(process.execPath)) return process.versions.node;
    return execFileSync(node, ['--version'], { encoding: 'utf8', timeout: 5000, env: { ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .replace(/^v/, '');
  } catch {
    return undefined;
  }
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 20 || (major === 20 && minor < 19);
}
