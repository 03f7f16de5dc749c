/** As it is called in its repository; elsewhere, as it is. */
export const pathIn = (root: string | null, path: string): string =>
  root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
