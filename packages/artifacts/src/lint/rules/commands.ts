import { isAlwaysThere } from '../../shell/always-there.ts';
import { interpreterOf, unwrapped } from '../../shell/programs.ts';
import type { Found, Rule, RunText, Subject } from '../world.ts';

/** A program that is missing makes a guard say nothing for weeks; one that is declared makes it broken, which shows. */
export const undeclaredRule: Rule = (subject) => {
  // A program has no place to declare it.
  if (subject.way === 'executable') return [];
  const declared = declaredIn(subject.entry);
  const told = new Set<string>();
  return subject.texts.flatMap((text) =>
    programsIn(text).flatMap(({ program, line }): Found[] => {
      if (declared.has(program) || told.has(program)) return [];
      told.add(program);
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
  return all.filter(({ program }) => /^[A-Za-z][\w.+-]*$/.test(program) && !isAlwaysThere(program));
}

function declaredIn(entry: Subject['entry']): ReadonlySet<string> {
  const packages: unknown = (entry.runtime_requirements as { system_packages?: unknown } | undefined)?.system_packages;
  const list: readonly unknown[] = Array.isArray(packages) ? packages : [packages];
  return new Set(list.filter((name): name is string => typeof name === 'string'));
}
