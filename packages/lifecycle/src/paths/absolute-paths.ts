import { posix } from 'node:path';
import type { CanonicalEvent, FileCall, JsonObject, Reduced, Tool } from '@piton/contracts';
import { isUncertain, walkCommand } from '@piton/shell';

/** Fields of portable inputs and results that name a file or a folder of the call. */
const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'moved_to', 'moved_from', 'filePath'];
/** Of the tools that search, the field is a folder and may be missing. */
const SEARCHING: ReadonlySet<string> = new Set(['Glob', 'Grep', 'LS']);

/**
 * The event with every path absolute and normalized, so that `../secret/x` and `/secret/x` are one file to a hook. Links are left as
 * they are: see `resolved-paths.ts`. What the agent wrote stays in the raw payload, and in `nativePaths` for the way back.
 */
export function withAbsolutePaths(event: CanonicalEvent, home: string): CanonicalEvent {
  if (event.tool === undefined) return event;
  const tool = withRedirections(event.tool, event.cwd, home);
  const cwd = callDirectory(tool, event.cwd);
  if (tool.files.length === 0 && !namesPaths(tool)) return event;
  const native: Record<string, string> = {};
  const absolute = (written: string): string => {
    const path = absolutePath(written, cwd, home);
    if (path !== written) native[path] = written;
    return path;
  };
  const files = tool.files.map(absolute);
  const input = namesPaths(tool) ? withPaths(tool.input, absolute) : tool.input;
  const calls = tool.calls?.map((call): FileCall => ({ ...call, file: absolute(call.file), input: withPaths(call.input, absolute) }));
  const response = withResponse(event, tool, absolute);
  const others = tool.files.map((written, at) => otherForms(written, files[at] as string, cwd, home));
  if (tool === event.tool && Object.keys(native).length === 0 && others.every((each) => each.length === 0)) return event;
  const changed: Tool = {
    ...{ ...tool, files, input, ...(calls && { calls }) },
    ...(Object.keys(native).length > 0 && { nativePaths: native }),
    ...(others.some((each) => each.length > 0) && { otherForms: others }),
  };
  const portable = 'tool_input' in event.portable ? { ...event.portable, tool_input: input, ...response } : event.portable;
  return { ...event, portable, tool: changed };
}

/** A shell tool may run its command elsewhere. */
const callDirectory = ({ kind, input }: Tool, cwd: string): string =>
  kind === 'shell' && typeof input.cwd === 'string' && input.cwd !== '' ? inNormalForm(input.cwd, cwd) : cwd;

/** Nothing is kept of what is written there. */
const NO_FILE = /^\/dev\/(?:null|zero|full|std(?:in|out|err)|tty|fd\/\d+)$/;

/** A shell command with the files that its redirections write, as far as they can be known. */
function withRedirections(tool: Tool, cwd: string, home: string): Tool {
  const { command } = tool;
  if (tool.kind !== 'shell' || command === undefined || !command.includes('>')) return tool;
  const { calls } = walkCommand(command, { cwd: callDirectory(tool, cwd), home });
  const written = calls.flatMap((call) =>
    call.writes.filter((path) => !isUncertain(path)).map((path) => (path.startsWith('/') ? path : `${call.cwd}/${path}`)),
  );
  const files = [...new Set(written)].filter((path) => !isUncertain(path) && !NO_FILE.test(path));
  return files.length === 0 ? tool : { ...tool, files: [...tool.files, ...files] };
}

const namesPaths = ({ kind, name }: Tool): boolean => kind === 'edit' || kind === 'read' || SEARCHING.has(name);

function withPaths(input: JsonObject, absolute: (written: string) => string): JsonObject {
  const found = PATH_FIELDS.filter((field) => typeof input[field] === 'string' && input[field] !== '');
  if (found.length === 0) return input;
  return { ...input, ...Object.fromEntries(found.map((field) => [field, absolute(input[field] as string)])) };
}

function withResponse({ portable }: CanonicalEvent, tool: Tool, absolute: (written: string) => string): JsonObject {
  const { tool_response: response } = portable;
  if (!namesPaths(tool) || typeof response !== 'object' || response === null || Array.isArray(response)) return {};
  const { file } = response as JsonObject;
  const inside = typeof file === 'object' && file !== null && !Array.isArray(file) ? { file: withPaths(file as JsonObject, absolute) } : {};
  const { filenames } = response as JsonObject;
  const found = Array.isArray(filenames) ? { filenames: filenames.map((path) => (typeof path === 'string' ? absolute(path) : path)) } : {};
  return { tool_response: { ...withPaths(response as JsonObject, absolute), ...inside, ...found } };
}

/** An input that a hook wrote, with the agent's own spelling of each path that the hook left as it was. */
export function withNativePaths<T extends Reduced>({ tool }: CanonicalEvent, reduced: T): T {
  const native = tool?.nativePaths;
  if (native === undefined || reduced.input === undefined) return reduced;
  const back = (path: string): string => (Object.hasOwn(native, path) ? (native[path] as string) : path);
  return { ...reduced, input: withPaths(reduced.input, back) };
}

/** Where the kernel takes a process to itself. It is not ours that the agent means. */
const OF_THE_PROCESS = /^\/+proc\/+(?:self|thread-self)\/+(cwd|root)(?=\/|$)/;

export function absolutePath(written: string, cwd: string, home: string): string {
  if (/^[A-Za-z]:[\\/]/.test(written) || written === '') return written;
  const expanded = /^~(?=\/|$)/.test(written) ? `${home}${written.slice(1)}` : fromUrl(written);
  return inNormalForm(expanded, cwd);
}

/** A path of the process that has it, as everybody else would write it. */
export const outsideProcess = (path: string, cwd: string): string =>
  path.replace(OF_THE_PROCESS, (_, link: string) => (link === 'cwd' ? cwd : '/'));

function inNormalForm(path: string, cwd: string): string {
  const own = outsideProcess(path, cwd);
  const normal = posix.normalize(own.startsWith('/') ? own : `${cwd}/${own}`);
  // POSIX lets two slashes at the beginning mean something else; no system that we run on does.
  return normal.replace(/^\/+/, '/').replace(/(?<=.)\/+$/, '');
}

function fromUrl(written: string): string {
  if (!written.startsWith('file://')) return written;
  try {
    return decodeURIComponent(new URL(written).pathname);
  } catch {
    return written;
  }
}

/** What else the same text could mean: nobody knows which of these an agent's tool expands, or a file system takes for the same name. */
function otherForms(written: string, path: string, cwd: string, home: string): string[] {
  const expanded = written.replaceAll(/\$(?:HOME\b|\{HOME\})/g, () => home).replaceAll(/\$(?:PWD\b|\{PWD\})/g, () => cwd);
  const forms = new Set<string>();
  if (expanded !== written) forms.add(absolutePath(expanded, cwd, home));
  if (written.startsWith('~')) forms.add(inNormalForm(written, cwd));
  if (written.trim() !== written) forms.add(absolutePath(written.trim(), cwd, home));
  for (const each of [path, ...forms]) if (/[^\0-\x7f]/.test(each)) forms.add(each.normalize('NFC')).add(each.normalize('NFD'));
  forms.delete(path);
  return [...forms];
}
