/** Milliseconds since this process started. `performance` would say the same, and loads ten modules to do so. */
export const sinceStart = (): number => process.uptime() * 1000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
