import { join } from 'node:path';
import { type HookCase, hookCaseText } from '@piton/artifacts';
import type { EventName } from '@piton/contracts';
import { casesFolder } from '../fixtures.ts';
import { context } from './context.ts';
import { formatter } from './formatter.ts';
import { guard } from './guard.ts';
import { logger } from './logger.ts';
import { notifier } from './notifier.ts';
import { samplePayload } from './sample-payload.ts';
import { artifactText, isProgram, moduleText, nodeProgram, pythonProgram, shellProgram } from './source.ts';
import type { Kind, Template } from './template.ts';

export const TEMPLATES: Readonly<Record<Kind, Template>> = { guard, formatter, logger, context, notifier };
export const FORMS = ['artifact', 'executable', 'setting'] as const;
export const LANGUAGES = ['sh', 'js', 'ts', 'python'] as const;

export interface NewHookRequest {
  readonly kind: Kind;
  readonly name: string;
  readonly as: (typeof FORMS)[number];
  readonly event: EventName;
  readonly lang: (typeof LANGUAGES)[number];
  /** The user's configuration, or the `.piton` of a project. */
  readonly base: string;
  readonly config: string;
  /** Null for a user hook. */
  readonly root: string | null;
}

export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

export interface NewHook {
  readonly id: string;
  /** The path that must not exist yet. */
  readonly home: string;
  readonly files: readonly NewFile[];
  /** Its entry in the settings, if it is a setting. */
  readonly setting: Readonly<Record<string, unknown>> | null;
}

/** Everything that `hooks new` writes, as values. */
export function planHook(request: NewHookRequest): NewHook {
  const planned = { artifact: planArtifact, executable: planExecutable, setting: planSetting }[request.as](request);
  const scope = request.root === null ? ('user' as const) : ('project' as const);
  // A project's artifact is trusted together with its cases. Other hooks have no folder for them.
  const tests =
    request.as === 'artifact' ? join(planned.home, 'tests') : casesFolder(request.config, { id: planned.id, scope, root: request.root });
  return { ...planned, files: [...planned.files, ...casesOf(request).map((one) => caseFile(tests, one))] };
}

const SUFFIXES = { sh: '.sh', js: '.mjs', ts: '.ts', python: '.py' } as const;

/** TypeScript is no program: that is refused before. */
function programText({ kind, event, lang }: NewHookRequest): string {
  const write = { sh: shellProgram, python: pythonProgram, js: nodeProgram, ts: nodeProgram }[lang];
  return write(TEMPLATES[kind], event);
}

const scopeOf = ({ root }: NewHookRequest): string => (root === null ? 'user' : 'project');

function planArtifact(request: NewHookRequest): NewHook {
  const { name, lang, base } = request;
  const home = join(base, 'artifacts', name);
  const last = name.split('/').at(-1) as string;
  const file = `${isProgram(lang) ? 'scripts/' : ''}${last}${SUFFIXES[lang]}`;
  const template = TEMPLATES[request.kind];
  return {
    id: `${scopeOf(request)}:artifacts/${name}`,
    home,
    files: [
      { path: join(home, 'ARTIFACT.md'), text: artifactText(template, request, file), executable: false },
      {
        path: join(home, file),
        text: lang === 'js' || lang === 'ts' ? moduleText(template, request.event, lang) : programText(request),
        executable: isProgram(lang),
      },
    ],
    setting: null,
  };
}

function planExecutable(request: NewHookRequest): NewHook {
  const directory = request.event.replaceAll('_', '-');
  const file = request.lang === 'sh' ? request.name : `${request.name}${SUFFIXES[request.lang]}`;
  const path = join(request.base, 'hooks', directory, file);
  const files = [{ path, text: programText(request), executable: true }];
  return { id: `${scopeOf(request)}:${directory}/${file}`, home: path, files, setting: null };
}

function planSetting(request: NewHookRequest): NewHook {
  const { name, event, lang, base, kind } = request;
  const template = TEMPLATES[kind];
  const file = `${name}${SUFFIXES[lang]}`;
  // A module needs its own folder, because the whole folder is trusted.
  const home = join(base, 'modules', name);
  const entry = {
    name,
    event,
    ...(isProgram(lang) ? { command: template.shell(event) } : { module: `modules/${name}/${file}` }),
    ...(template.observe && { observe: true }),
    description: template.description(event),
    tags: [kind],
  };
  const isModule = lang === 'js' || lang === 'ts';
  const files = isModule ? [{ path: join(home, file), text: moduleText(template, event, lang), executable: false }] : [];
  return { id: `${scopeOf(request)}:settings/${name}`, home, files, setting: entry };
}

function casesOf({ kind, event }: NewHookRequest): HookCase[] {
  return TEMPLATES[kind].cases(event).flatMap(({ name, about = {}, env, expect }): HookCase[] => {
    const sample = samplePayload(event, about);
    return sample === undefined ? [] : [{ name, event, ...sample, ...(env && { env }), expect }];
  });
}

const caseFile = (folder: string, one: HookCase): NewFile => ({
  path: join(
    folder,
    `${one.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')}.json`,
  ),
  text: hookCaseText(one),
  executable: false,
});
