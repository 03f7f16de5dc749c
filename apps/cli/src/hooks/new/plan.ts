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
import { artifactText, moduleText, nodeProgram, shellProgram } from './source.ts';
import type { Kind, Template } from './template.ts';

export const TEMPLATES: Readonly<Record<Kind, Template>> = { guard, formatter, logger, context, notifier };
export const FORMS = ['artifact', 'executable', 'setting'] as const;
export const LANGUAGES = ['sh', 'js', 'ts'] as const;

export interface Wish {
  readonly kind: Kind;
  readonly name: string;
  readonly as: (typeof FORMS)[number];
  readonly event: EventName;
  readonly lang: (typeof LANGUAGES)[number];
  /** The user's configuration, or the `.piton` of a project. */
  readonly base: string;
  readonly config: string;
  /** Null for the user's own. */
  readonly root: string | null;
}

export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

export interface NewHook {
  readonly id: string;
  /** What must not be there yet. */
  readonly home: string;
  readonly files: readonly NewFile[];
  /** The entry for the settings, where it is one. */
  readonly setting: Readonly<Record<string, unknown>> | null;
}

/** All that `hooks new` writes, as values. */
export function planHook(wish: Wish): NewHook {
  const planned = { artifact: planArtifact, executable: planExecutable, setting: planSetting }[wish.as](wish);
  const scope = wish.root === null ? ('user' as const) : ('project' as const);
  // A project's artifact is written and trusted with its cases; other hooks have no folder to keep them in.
  const tests = wish.as === 'artifact' ? join(planned.home, 'tests') : casesFolder(wish.config, { id: planned.id, scope, root: wish.root });
  return { ...planned, files: [...planned.files, ...casesOf(wish).map((one) => caseFile(tests, one))] };
}

const scopeOf = ({ root }: Wish): string => (root === null ? 'user' : 'project');

function planArtifact(wish: Wish): NewHook {
  const { name, lang, base } = wish;
  const home = join(base, 'artifacts', name);
  const last = name.split('/').at(-1) as string;
  const file = lang === 'sh' ? `scripts/${last}.sh` : `${last}.${lang === 'ts' ? 'ts' : 'mjs'}`;
  const template = TEMPLATES[wish.kind];
  return {
    id: `${scopeOf(wish)}:artifacts/${name}`,
    home,
    files: [
      { path: join(home, 'ARTIFACT.md'), text: artifactText(template, wish, file), executable: false },
      {
        path: join(home, file),
        text: lang === 'sh' ? shellProgram(template, wish.event) : moduleText(template, wish.event, lang),
        executable: lang === 'sh',
      },
    ],
    setting: null,
  };
}

function planExecutable(wish: Wish): NewHook {
  const directory = wish.event.replaceAll('_', '-');
  const file = wish.lang === 'sh' ? wish.name : `${wish.name}.mjs`;
  const path = join(wish.base, 'hooks', directory, file);
  const template = TEMPLATES[wish.kind];
  const text = wish.lang === 'sh' ? shellProgram(template, wish.event) : nodeProgram(template, wish.event);
  return { id: `${scopeOf(wish)}:${directory}/${file}`, home: path, files: [{ path, text, executable: true }], setting: null };
}

function planSetting(wish: Wish): NewHook {
  const { name, event, lang, base, kind } = wish;
  const template = TEMPLATES[kind];
  const file = `${name}.${lang === 'ts' ? 'ts' : 'mjs'}`;
  // A module needs a folder of its own: the whole of it is trusted.
  const home = join(base, 'modules', name);
  const entry = {
    name,
    event,
    ...(lang === 'sh' ? { command: template.shell(event) } : { module: `modules/${name}/${file}` }),
    ...(template.observe && { observe: true }),
    description: template.description(event),
    tags: [kind],
  };
  const files = lang === 'sh' ? [] : [{ path: join(home, file), text: moduleText(template, event, lang), executable: false }];
  return { id: `${scopeOf(wish)}:settings/${name}`, home, files, setting: entry };
}

function casesOf({ kind, event }: Wish): HookCase[] {
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
