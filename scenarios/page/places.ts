import type { Page } from 'playwright-core';
import { goTo } from './browser-page.ts';

/** Every page by its name, with the place at which it lies. */
export async function placesOf(shown: Page, prompt: string, repository: string): Promise<readonly (readonly [string, string])[]> {
  await goTo(shown, 'sessions');
  const session = await shown.locator('.session-row a', { hasText: prompt }).first().getAttribute('href');
  await goTo(shown, 'repositories');
  const found = await shown.locator('.repository-cards a', { hasText: repository }).first().getAttribute('href');
  const [sessionPlace, repositoryPlace] = [session, found].map((href) => href?.slice(2) ?? '');
  return [
    ['now', 'now?feed=all&window=5m'],
    ['sessions', 'sessions'],
    ['session', sessionPlace ?? ''],
    ['repositories', 'repositories'],
    ['repository', repositoryPlace ?? ''],
    ['file', `${repositoryPlace}?path=src/server.js`],
    ['commits', `${repositoryPlace}?tab=commits`],
    ['hooks', 'hooks'],
    ['overview', 'overview'],
    ['search', 'search?q=berth'],
  ];
}
