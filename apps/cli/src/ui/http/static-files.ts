import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Failure } from '../../failure.ts';
import { PAGE } from '../../runtime/parts.ts';

const INDEX = '/index.html';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
const MIN_COMPRESSED = 1024;

interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The files of the page, by their paths. All are known before the first request: no path of a request ever reaches the disk. */
export interface StaticFiles {
  find(path: string, acceptsBrotli: boolean): StaticFile | undefined;
}

export function openStaticFiles(distribution: string): StaticFiles {
  const folder = join(distribution, PAGE);
  if (!existsSync(join(folder, INDEX)))
    throw new Failure('the page is not part of this copy of Piton', {
      where: folder,
      remedy: 'reinstall Piton. In a clone: npm run build',
    });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());
  const known = new Map(names.map((name) => [`/${name.replaceAll('\\', '/')}`, join(folder, name)]));
  const read = new Map<string, StaticFile>();
  return {
    find(path, acceptsBrotli) {
      // The page has addresses of its own, which begin with the same document.
      const name = known.has(path) ? path : extname(path) === '' ? INDEX : undefined;
      const file = name === undefined ? undefined : known.get(name);
      if (name === undefined || file === undefined) return undefined;
      const key = `${name} ${acceptsBrotli}`;
      const found = read.get(key) ?? load(name, file, acceptsBrotli);
      read.set(key, found);
      return found;
    },
  };
}

function load(name: string, file: string, acceptsBrotli: boolean): StaticFile {
  const bytes = readFileSync(file);
  const extension = extname(name);
  const type = TYPES[extension] ?? 'application/octet-stream';
  // Their names have a hash of what is in them.
  const cached = { 'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store' };
  const isText = /text|json|svg/.test(type);
  if (!acceptsBrotli || !isText || bytes.length < MIN_COMPRESSED) return { type, bytes, headers: cached };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return { type, bytes: brotliCompressSync(bytes, { params }), headers: { ...cached, 'content-encoding': 'br', vary: 'accept-encoding' } };
}
