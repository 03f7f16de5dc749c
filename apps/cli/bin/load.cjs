// A file of its own: a Node without `import()` could not read the one that says so.
void import('./cli.mjs');
