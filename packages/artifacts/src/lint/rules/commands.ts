import { interpreterOf, unwrapped } from '../../shell/programs.ts';
import { isStandardProgram } from '../../shell/standard-programs.ts';
import type { Found, Rule, RunText, Subject } from '../context.ts';

/** A missing program can silence a guard for weeks. If it is declared, the hook is reported as broken. */
export const undeclaredRule: Rule = (subject) => {
  // An executable has no place for declarations.
  if (subject.way === 'executable') return [];
  const declared = declaredIn(subject.entry);
  const reported = new Set<string>();
  return subject.texts.flatMap((text) =>
    programsIn(text).flatMap(({ program, line }): Found[] => {
      if (declared.has(program) || reported.has(program)) return [];
      reported.add(program);
      const what = `${program} is used but not declared`;
      const remedy = `add it to runtime_requirements: { system_packages: [${[...declared, program].join(', ')}] }`;
      return [{ rule: 'requirement', file: text.file, line, what, remedy }];
    }),
  );
};

function programsIn({ shell, text, line }: RunText): { program: string; line: number }[] {
  const interpreter = line === 1 ? interpreterOf(text) : undefined;
  const run = (shell?.commands ?? []).flatMap((command) => {
    const [program] = unwrapped(command).words;
    if (program === undefined || program.dynamic || shell?.functions.has(program.text)) return [];
    return [{ program: program.text, line: line + command.line }];
  });
  const all = interpreter === undefined ? run : [{ program: interpreter, line }, ...run];
  return all.filter(({ program }) => /^[A-Za-z][\w.+-]*$/.test(program) && !isStandardProgram(program));
}

function declaredIn(entry: Subject['entry']): ReadonlySet<string> {
  const packages: unknown = (entry.runtime_requirements as { system_packages?: unknown } | undefined)?.system_packages;
  const list: readonly unknown[] = Array.isArray(packages) ? packages : [packages];
  return new Set(list.filter((name): name is string => typeof name === 'string'));
}
