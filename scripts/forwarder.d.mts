/** The targets by the platform as Node names it. */
export declare const RELEASED: Readonly<Record<string, string>>;
export declare function buildReleased(out: string): string[];
export declare function buildForwarder(options?: { release?: boolean; sanitize?: boolean; target?: string; out?: string }): string;
export declare function buildFuzzer(options?: { out?: string; libfuzzer?: boolean }): string;
export declare function buildAlike(options: { source: string; out: string; release?: boolean }): string;
