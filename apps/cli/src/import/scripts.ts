import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { filesNamed, type NamedFile } from '@piton/artifacts';
import { isInside } from '../install/config-place.ts';

/** A script that a command names, outside the artifact. */
export interface NamedScript extends NamedFile {
  readonly file: string;
  /** Its path in the artifact's folder. */
  readonly as: string;
  readonly bytes: Buffer;
}

const MAX_SIZE = 1_000_000;

/** Only scripts of the user or the project. Programs of the system stay where they are. */
export function scriptsOf(command: string, home: string, project: string): NamedScript[] {
  const taken = new Set<string>();
  return filesNamed(command).flatMap((named) => {
    const file = resolve(project, named.path.replace(/^\$\{?[A-Z]+_PROJECT_DIR\}?/, project).replace(/^(?:~|\$\{?HOME\}?)(?=\/)/, home));
    const bytes = readInside(file, [home, project]);
    if (bytes === undefined || !(named.runs || isProgram(file, bytes))) return [];
    // The command uses it without quotes.
    const name = basename(file)
      .replace(/[^\w.-]+/g, '-')
      .replace(/^-/, '_');
    let as = `scripts/${name}`;
    for (let count = 2; taken.has(as); count++) as = `scripts/${count}-${name}`;
    taken.add(as);
    return [{ ...named, file, as, bytes }];
  });
}

const CODE = /\.(?:(?:ba|z|fi)?sh|py|[cm]?[jt]s|rb|pl|php|lua|ps1)$/;

/** Somewhere among the arguments: what it reads or writes there must stay where it is. */
const isProgram = (file: string, bytes: Buffer): boolean =>
  CODE.test(file) || bytes.subarray(0, 2).toString() === '#!' || (statSync(file).mode & 0o111) !== 0;

function readInside(file: string, places: readonly string[]): Buffer | undefined {
  try {
    const real = realpathSync(file);
    const stat = statSync(real);
    if (!stat.isFile() || stat.size > MAX_SIZE || !places.some((place) => isInside(real, realpathSync(place)))) return undefined;
    return readFileSync(real);
  } catch {
    return undefined;
  }
}
