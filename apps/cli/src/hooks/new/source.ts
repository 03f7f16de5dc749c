import type { EventName } from '@piton/contracts';
import { indent } from '../../output/text.ts';
import type { Kind, Template } from './template.ts';

/** The others are modules, which the server loads. */
export const isProgram = (lang: string): boolean => lang === 'sh' || lang === 'python';

export const shellProgram = (template: Template, event: EventName): string =>
  `#!/bin/sh\n# ${template.description(event)}\n${template.shell(event)}`;

const TYPES = `/** What a hook reads; \`piton schema payload\` has all of it. */
interface Payload {
  readonly tool_name?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}
interface HookEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
}
`;

/** Named so that linters do not report a parameter that the body does not use. */
const parameters = (body: string): [string, string] => [
  /\bpayload\b/.test(body) ? 'payload' : '_payload',
  /\benv\b/.test(body) ? '{ env }' : '_environment',
];

export function moduleText(template: Template, event: EventName, lang: 'js' | 'ts'): string {
  const { imports, body } = template.script(event);
  const given = lang === 'ts' ? `${parameters(body)[0]}: Payload, ${parameters(body)[1]}: HookEnvironment` : parameters(body).join(', ');
  const head = [...imports, ...(imports.length > 0 ? [''] : [])].join('\n');
  return `${head}${lang === 'ts' ? `${TYPES}\n` : ''}/** ${template.description(event)} */\nexport default function hook(${given}) {\n${indent(body)}\n}\n`;
}

/** The same as a program: the payload comes on stdin, the decision goes to stdout. */
export function nodeProgram(template: Template, event: EventName): string {
  const { imports, body } = template.script(event);
  const needed = imports.some((line) => line.includes('readFileSync')) ? [] : ["import { readFileSync } from 'node:fs';"];
  return `#!/usr/bin/env node
${[...needed, ...imports].join('\n')}

/** ${template.description(event)} */
function hook(${parameters(body).join(', ')}) {
${indent(body)}
}

const decision = hook(JSON.parse(readFileSync(0, 'utf8') || '{}'), { env: process.env });
if (decision !== undefined) process.stdout.write(typeof decision === 'string' ? decision : JSON.stringify(decision));
`;
}

/** In Python it is always a program. */
export function pythonProgram(template: Template, event: EventName): string {
  const { imports, body } = template.python(event);
  const all = [...new Set(['import json', 'import os', 'import sys', ...imports])].sort();
  return `#!/usr/bin/env python3
"""${template.description(event)}"""
${all.join('\n')}


def hook(payload, env):
${indent(body, '    ')}


# The call comes as JSON on stdin; the decision goes to stdout, and none is none.
decision = hook(json.load(sys.stdin), os.environ)
if decision is not None:
    json.dump(decision, sys.stdout)
`;
}

const programsOf = (template: Template, lang: string): readonly string[] =>
  lang === 'python' ? ['python3'] : lang === 'sh' ? (template.programs ?? []) : [];

export function artifactText(
  template: Template,
  { kind, event, lang }: { kind: Kind; event: EventName; lang: string },
  file: string,
): string {
  const programs = programsOf(template, lang);
  const head = [
    'type: hook',
    'version: 0.1.0',
    `description: ${template.description(event)}`,
    `hook_event: ${event}`,
    `${isProgram(lang) ? 'hook_action' : 'module'}: ${file}`,
    ...(template.observe ? ['observe: true'] : []),
    ...(programs.length > 0 ? ['runtime_requirements:', `  system_packages: [${programs.join(', ')}]`] : []),
    'sensitivity: low',
    `tags: [${kind}]`,
  ];
  return `---\n${head.join('\n')}\n---\n\n${template.description(event)}\n\nTest cases are in \`tests/\`.\n`;
}
