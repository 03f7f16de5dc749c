/** The command of the zig that is there, or undefined. */
export declare function zigHere(): string[] | undefined;
