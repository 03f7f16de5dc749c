import { Failure } from '../failure.ts';

/** Where a hook comes from, as a person writes it. */
export type SourceRef =
  | { readonly kind: 'git'; readonly url: string; readonly ref: string | undefined }
  | { readonly kind: 'npm'; readonly name: string; readonly wanted: string }
  | { readonly kind: 'folder'; readonly path: string }
  /** In the library or in a catalogue. Never a package: a misspelt name must not fetch what somebody put there for it. */
  | { readonly kind: 'name'; readonly name: string };

const NPM_NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i;
/** A version, a range or a tag; nothing by which npm would go elsewhere than to its registry. */
const NPM_WANTED = /^[\w.+~^<>=*| -]*$/;
/** As ssh and git have it: `git@example.com:team/hooks.git`. */
const SSH_PLACE = /^[\w.-]+@[\w.[\]-]+:(?!\/\/)\S+$/;
/** A name of git's, not an option and not a refspec. */
const GIT_REF = /^(?!-)(?!.*(?:\.\.|@\{|\/\/))[^\s:?*[\\^~+\p{Cc}][^\s:?*[\\^~\p{Cc}]*$/u;

/** By which protocols git may go there. */
export const protocolOf = (url: string): string => /^([a-z]+):\/\//.exec(url)?.[1] ?? 'ssh';

export function parseSourceRef(text: string): SourceRef {
  if (/\p{Cc}/u.test(text)) throw wrong(text, 'it has control characters');
  const at = text.replace(/^git\+(?=[a-z]+:\/\/)/, '');
  if (/^[a-z][a-z0-9+.-]*::/i.test(at)) throw wrong(text, 'git would start a program for it');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(at) || SSH_PLACE.test(at)) return gitRef(text, at);
  if (at.startsWith('npm:')) return npmRef(text, at.slice('npm:'.length));
  if (/^@[\w.~-]+\/[^/]+$/.test(at) || /^[a-z0-9][\w.-]*@[^/:]+$/i.test(at)) return npmRef(text, at);
  if (/^[.~/]/.test(at) || at.includes('/')) return { kind: 'folder', path: at };
  return { kind: 'name', name: at };
}

function gitRef(text: string, at: string): SourceRef {
  const [url = '', ...rest] = at.split('#');
  const ref = rest.length === 0 ? undefined : rest.join('#');
  if (ref !== undefined && !GIT_REF.test(ref)) throw wrong(text, `${JSON.stringify(ref)} is not the name of a branch or tag, or a commit`);
  if (SSH_PLACE.test(url)) return { kind: 'git', url, ref };
  const parsed = parseUrl(text, url);
  const protocol = parsed.protocol.slice(0, -1);
  if (!['https', 'ssh', 'file'].includes(protocol)) throw wrong(text, `${protocol} is not a way to get hooks: use https or ssh`);
  // What stands in the address is written down, and shown.
  if (parsed.password !== '' || (protocol === 'https' && parsed.username !== ''))
    throw wrong(text, 'it holds a password or a token, which would be stored with the hook. Use ssh, or clone it and add the folder');
  if (parsed.search !== '') throw wrong(text, 'the address of a repository has no "?"');
  if (protocol === 'file' && parsed.host !== '') throw wrong(text, 'a file has no host: write file:///path');
  return { kind: 'git', url, ref };
}

function parseUrl(text: string, url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw wrong(text, 'it is not an address');
  }
}

function npmRef(text: string, spec: string): SourceRef {
  const cut = spec.indexOf('@', 1);
  const [name, wanted] = cut < 0 ? [spec, ''] : [spec.slice(0, cut), spec.slice(cut + 1)];
  if (!NPM_NAME.test(name) || name.length > 214) throw wrong(text, `${JSON.stringify(name)} is not the name of an npm package`);
  if (!NPM_WANTED.test(wanted)) throw wrong(text, `${JSON.stringify(wanted)} is not a version of a package`);
  return { kind: 'npm', name, wanted };
}

const wrong = (text: string, why: string): Failure => {
  const shown = text.replace(/(?<=:\/\/)[^/@\s]*@/, '…@');
  return new Failure(`cannot add ${JSON.stringify(shown)}: ${why}`, { usage: true });
};

/** As `hooks add` would read it again. */
export function sourceText(ref: SourceRef): string {
  switch (ref.kind) {
    case 'git':
      return ref.ref === undefined ? ref.url : `${ref.url}#${ref.ref}`;
    case 'npm':
      return `npm:${ref.name}${ref.wanted === '' ? '' : `@${ref.wanted}`}`;
    case 'folder':
      return ref.path;
    case 'name':
      return ref.name;
  }
}

/** The last part of an address or a package's name: the name of a hook that is the whole of it. */
export function baseNameOf(ref: SourceRef): string {
  const text = ref.kind === 'git' ? ref.url : ref.kind === 'npm' ? ref.name : ref.kind === 'folder' ? ref.path : ref.name;
  return (
    text
      .replace(/\/+$/, '')
      .split(/[/:]/)
      .at(-1)
      ?.replace(/\.git$/, '') ?? ''
  );
}
