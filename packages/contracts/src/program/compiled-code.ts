import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { Script } from 'node:vm';

/** What a bundle is once it is compiled: Node's own wrapper around a CommonJS module, which the build has written into the file. */
type Body = (exports: object, require: NodeJS.Require, module: object, file: string, directory: string) => void;

export interface CompiledBody {
  readonly body: Body;
  /** V8 has taken the code that was kept, and compiled nothing. */
  readonly fromCode: boolean;
  /** Keeps the code, with the functions that have run since. Never throws: without it the next start is only slower. */
  save(): void;
}

/** Where the code of a program is kept, beside it. V8 rejects another version's: each Node has a folder, so two do not take turns. */
export const codeFileOf = (directory: string, name: string): string =>
  join(directory, 'code', `${process.version}-${process.arch}`, `${name}.code`);

const DIGEST_BYTES = 32;

/**
 * V8 knows code of another V8 or of other flags by itself. Of the source it compares the length alone, and of the code nothing: a
 * changed program would run as it was, and a damaged file would end the process. So a digest over both stands in front.
 */
const digestOf = (source: Buffer, code: Buffer): Buffer => createHash('sha256').update(source).update(code).digest();

function keptCode(file: string, source: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(DIGEST_BYTES);
    return digestOf(source, code).equals(bytes.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the folders below `directory`, and never that one again: it may have been deleted under us, with all of Piton's home. */
function makeFolders(directory: string, file: string): void {
  let folder = directory;
  for (const name of relative(directory, dirname(file)).split(sep)) {
    folder = join(folder, name);
    if (!existsSync(folder)) makeFolder(folder);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // a thread beside us was faster
  }
}

/** Whole or absent: several processes may write it at once, and one of them may be killed. */
function writeCode(directory: string, file: string, source: Buffer, code: Buffer): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  makeFolders(directory, file);
  try {
    writeFileSync(temporary, Buffer.concat([digestOf(source, code), code]), { flag: 'wx', mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Reads a bundle, ASCII by the build, and compiles what of it is not kept in `directory` under this name. */
export function compileBody(file: string, directory: string, name: string): CompiledBody {
  const codeFile = codeFileOf(directory, name);
  const source = readFileSync(file);
  const cachedData = keptCode(codeFile, source);
  const script = new Script(source.toString('latin1'), { filename: file, ...(cachedData && { cachedData }) });
  return {
    body: script.runInThisContext() as Body,
    fromCode: cachedData !== undefined && script.cachedDataRejected === false,
    save() {
      try {
        writeCode(directory, codeFile, source, script.createCachedData());
      } catch {
        // a full disk, or a directory that is not ours to write
      }
    },
  };
}
