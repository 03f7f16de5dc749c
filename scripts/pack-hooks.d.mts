/** Gives back the path of the tarball. */
export function packHooks(out: string): Promise<string>;
