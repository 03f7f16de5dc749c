import { afterEach, expect, it, vi } from 'vitest';
import { cleanEnvironment } from '../../src/index.ts';

afterEach(() => vi.unstubAllEnvs());

it('a clean environment has what every program needs, and nothing of an agent’s', () => {
  for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'PITON_RUN', 'GIT_DIR', 'SSH_AUTH_SOCK']) vi.stubEnv(name, 'x');
  vi.stubEnv('HOME', '/home/sam');
  vi.stubEnv('TZ', undefined);
  const clean = cleanEnvironment();
  expect(clean).toMatchObject({ HOME: '/home/sam', PATH: process.env.PATH });
  expect(Object.values(clean)).not.toContain('x');
  expect(clean).not.toHaveProperty('TZ');
});
