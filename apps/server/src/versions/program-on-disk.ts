import { type Agent, parseVersion } from '@piton/contracts';
import { packageVersion, programIdentity } from '@piton/contracts/program-version';
import { findTrustedProgram, liesInRepository } from '@piton/contracts/programs';
import { runCommand } from '@piton/hooks';

export interface ProgramVersion {
  readonly version: string;
  readonly identity?: string;
}

const LIMIT_MS = 10_000;
const MAX_OUTPUT = 64 * 1024;

/**
 * The version of an agent whose events do not tell it: of the program on the server's own `PATH`, which has no working trees in it.
 * It may be newer than what runs. The program is asked only if it is another file than the last time.
 */
export async function versionOnDisk(agent: Agent, last: Partial<ProgramVersion> | undefined): Promise<ProgramVersion | undefined> {
  const names = agent.programs ?? [agent.id, ...agent.aliases];
  const program = names
    .flatMap((name) => findTrustedProgram(name, process.env['PATH'] ?? '') ?? [])
    .find((file) => !liesInRepository(file));
  if (program === undefined) return undefined;
  const packaged = packageVersion(program);
  if (packaged !== undefined) return { version: packaged };
  const identity = programIdentity(program);
  if (identity === undefined) return undefined;
  if (last?.identity === identity && last.version !== undefined) return { version: last.version, identity };
  const version = await askProgram(program);
  return version === undefined ? undefined : { version, identity };
}

async function askProgram(program: string): Promise<string | undefined> {
  const { exitCode, stdout } = await runCommand({
    ...{ id: 0, argv: [program, '--version'], cwd: '/', stdin: new Uint8Array(), set: {}, unset: [] },
    ...{ timeoutMs: LIMIT_MS, stdoutCap: MAX_OUTPUT, stderrCap: MAX_OUTPUT },
  });
  return exitCode === 0 ? parseVersion(Buffer.from(stdout).toString('utf8')) : undefined;
}
