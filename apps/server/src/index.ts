export * from './api.ts';
export { hookReading } from './hook-reading.ts';
export { installKey } from './install-key.ts';
