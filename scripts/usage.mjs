// What the commands of package.json do with `--help` and with an option that they do not have: they say so and start nothing.

/** Ends the process with the usage if that was asked for, or if an argument begins with `-` and is none of `options`. */
export function settleUsage(usage, options = null, args = process.argv.slice(2)) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = options === null ? undefined : args.find((arg) => arg.startsWith('-') && !options.includes(arg));
  if (unknown === undefined) return;
  console.error(`unknown option ${unknown}\n${usage}`);
  process.exit(2);
}
