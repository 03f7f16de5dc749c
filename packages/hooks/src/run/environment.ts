export type Environment = Readonly<Record<string, string | undefined>>;

/** Own environment less `unset` (a trailing `*` is a prefix) plus `set`. */
export function childEnvironment(
  own: Environment,
  set: Readonly<Record<string, string>>,
  unset: readonly string[],
): Record<string, string> {
  const names = new Set(unset.filter((name) => !name.endsWith('*')));
  const prefixes = unset.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) continue;
    kept[name] = value;
  }
  return { ...kept, ...set };
}
