export * from './api.ts';
export { installKey } from './install-key.ts';
