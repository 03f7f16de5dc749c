// ARCHITECTURE.md walks through the code by file names. Every name must exist.
import { dirname, join } from 'node:path';

const FROM_ROOT = /^(?:packages|apps|hooks-library)\//;
/** A row of a table or an item of a list, up to its reason. */
const STEP = /^(?:\||\d+\.|[-*])\s+(`[^`]+`(?:, `[^`]+`)*)/;

/**
 * A section whose heading starts with "The walk" is a list or a table, one step per line, each starting with its files. A bare
 * name is a file beside the previous one or one folder up, or below the folder that the section names.
 */
export function walksOf(architecture, exists) {
  return architecture
    .split(/^#{2,3} /m)
    .filter((section) => section.startsWith('The walk'))
    .map((section) => {
      const base = /are in `([^`]+)`/.exec(section)?.[1];
      const paths = [];
      for (const line of section.split('\n')) {
        for (const [, name] of STEP.exec(line)?.[1].matchAll(/`(?:… )?([^`]+\.\w+)`/g) ?? []) {
          const beside = dirname(paths.at(-1) ?? '.');
          const places = FROM_ROOT.test(name) ? [''] : [base, beside, dirname(beside)].filter((place) => place !== undefined);
          const found = places.map((place) => join(place, name));
          paths.push(found.find((path) => exists(path)) ?? found[0]);
        }
      }
      return { title: section.split('\n', 1)[0].trim(), paths };
    });
}

/** `exists`: does this path exist, from the root? Names with a placeholder (`<agent>`) are patterns. */
export function lostPaths(text, exists) {
  const named = [...text.matchAll(/`((?:packages|apps|hooks-library|scripts|scenarios|bench|docs)\/[^`\s<>*{}]+)`/g)].map(
    ([, path]) => path,
  );
  const walked = walksOf(text, exists).flatMap(({ paths }) => paths.filter((path) => !/[<>*{}]/.test(path)));
  return [...new Set([...named, ...walked])]
    .filter((path) => !exists(path))
    .map((path) => `ARCHITECTURE.md names ${path}, which is not there`);
}
