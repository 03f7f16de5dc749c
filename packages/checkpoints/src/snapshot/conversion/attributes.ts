import { type Git, gitOutput } from '@piton/git';
import { fields, nulList, type RawPath } from '../../raw-path.ts';
import type { Repository, RepositorySettings } from '../../repositories/repository.ts';

const NAMES = ['filter', 'text', 'eol', 'crlf', 'ident', 'working-tree-encoding'] as const;
export type Attributes = Partial<Record<(typeof NAMES)[number], string>>;

/** An index that is not there is read in no time, however large the repository; attributes come from the working tree. */
export async function readAttributes(
  git: Git,
  repository: Repository,
  noIndex: string,
  paths: readonly RawPath[],
): Promise<Map<RawPath, Attributes>> {
  const found = new Map<RawPath, Attributes>();
  if (paths.length === 0) return found;
  const options = { cwd: repository.root, input: nulList(paths), environment: { GIT_INDEX_FILE: noIndex } };
  const output = fields(await gitOutput(git, ['check-attr', '-z', '--stdin', ...NAMES], options));
  for (let at = 0; at + 2 < output.length; at += 3) {
    const [path = '', name = '', value = ''] = output.slice(at, at + 3);
    if (value === 'unspecified') continue;
    found.set(path, { ...found.get(path), [name]: value });
  }
  return found;
}

const CARRIAGE_RETURN = 0x0d;
const isOn = (value: string | undefined) => value !== undefined && value !== 'unset';

/** `same`: stored as it is. `ask`: only git knows. `lfs`: a pointer is stored. `filtered`: only a program of the repository's knows, which is not run. */
export type Conversion = 'same' | 'ask' | 'lfs' | 'filtered';

/** What git does to these bytes. Most files of a repository with `* text=auto` have no CR and are stored as they are. */
export function conversionOf(attributes: Attributes | undefined, settings: RepositorySettings, bytes: Buffer): Conversion {
  const { filter, ident, text, eol, crlf } = attributes ?? {};
  const isEncoded = isOn(attributes?.['working-tree-encoding']);
  if (filter !== undefined && settings.filters.cleaning.has(filter))
    return settings.filters.lfs.has(filter) && !isEncoded ? 'lfs' : 'filtered';
  if (isEncoded) return 'ask';
  if (isOn(ident) && bytes.includes('$Id')) return 'ask';
  const isText = text ?? crlf;
  if (isText === 'unset') return 'same';
  const mayConvert = isOn(isText) || isOn(eol) || settings.addsCarriageReturns || settings.dropsCarriageReturns;
  return mayConvert && bytes.includes(CARRIAGE_RETURN) ? 'ask' : 'same';
}
