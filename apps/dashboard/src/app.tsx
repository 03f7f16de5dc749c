import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { KeyHelp } from './keyboard/help.tsx';
import { useKeys } from './keyboard/keys.ts';
import { moveRow } from './keyboard/rows.ts';
import { NowPage } from './pages/now/now-page.tsx';
import { arriving } from './parts/arriving.ts';
import { lazy } from './parts/lazy.tsx';
import { Empty, Problem } from './parts/states.tsx';
import { goTo, route } from './router/route.ts';
import { LiveNote, Rail } from './shell/rail.tsx';

const EventPage = lazy(async () => (await import('./pages/event/event-page.tsx')).EventPage);
const HooksPage = lazy(async () => (await import('./pages/hooks/hooks-page.tsx')).HooksPage);
const OverviewPage = lazy(async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage);
const RepositoriesPage = lazy(async () => (await import('./pages/repository/repositories-page.tsx')).RepositoriesPage);
const RepositoryPage = lazy(async () => (await import('./pages/repository/repository-page.tsx')).RepositoryPage);
const SearchPage = lazy(async () => (await import('./pages/search/search-page.tsx')).SearchPage);
const SessionPage = lazy(async () => (await import('./pages/session/session-page.tsx')).SessionPage);
const SessionsPage = lazy(async () => (await import('./pages/sessions/sessions-page.tsx')).SessionsPage);

/** By the first part of the path: the title, and what is shown without and with an id behind it. */
const PAGES: Readonly<Record<string, { title: string; list?: ComponentType; one?: ComponentType<{ id: string }> }>> = {
  now: { title: 'Now', list: NowPage },
  session: { title: 'Session', one: SessionPage },
  sessions: { title: 'Sessions', list: SessionsPage },
  repositories: { title: 'Repositories', list: RepositoriesPage, one: RepositoryPage },
  hooks: { title: 'Hooks', list: HooksPage },
  overview: { title: 'Overview', list: OverviewPage },
  search: { title: 'Search', list: SearchPage },
  event: { title: 'Event', one: EventPage },
};

/** What one text breaks must not take the rest with it. */
function Page() {
  const [error, again] = useErrorBoundary();
  const place = route.value.path.join('/');
  const brokeAt = useRef(place);
  useEffect(() => {
    if (brokeAt.current !== place) again();
    brokeAt.current = place;
  }, [place, again]);
  if (error) {
    const problem = { problem: 'failed', error: `This page could not be drawn: ${String(error)}`, fix: null } as const;
    return <Problem problem={problem} retry={again} />;
  }
  return <Chosen />;
}

function Chosen() {
  const [name = 'now', id] = route.value.path;
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  const [List, One] = [page?.list, page?.one];
  if (id !== undefined && One) return <One key={id} id={id} />;
  if (id === undefined && List) return <List />;
  return <Empty title="There is no such page" text={<a href="#/now">Go to what happens now</a>} />;
}

export function App() {
  const [isHelpOpen, openHelp] = useState(false);
  const content = useRef<HTMLElement>(null);
  const place = route.value.path.join('/');
  const title = PAGES[route.value.path[0] ?? 'now']?.title ?? 'Piton';
  const first = useRef(true);
  useLayoutEffect(() => (content.current ? arriving(content.current) : undefined), [place]);
  useEffect(() => {
    document.title = `${title} · Piton`;
    scrollTo(0, 0);
    // A reader of the screen is told that the page changed; who opens it starts at the top.
    if (!first.current) content.current?.focus();
    first.current = false;
  }, [place, title]);
  const skip = () => content.current?.focus();
  useKeys(
    useMemo(
      () => [
        { key: 'j', does: 'next row', run: () => moveRow(1) },
        { key: 'k', does: 'row before', run: () => moveRow(-1) },
        { key: '/', does: 'search', run: () => goTo(['search']) },
        { key: 'n', does: 'now', run: () => goTo(['now']) },
        { key: 's', does: 'sessions', run: () => goTo(['sessions']) },
        { key: 'r', does: 'repositories', run: () => goTo(['repositories']) },
        { key: 'h', does: 'hooks', run: () => goTo(['hooks']) },
        { key: 'o', does: 'overview', run: () => goTo(['overview']) },
        { key: '?', does: 'this help', run: () => openHelp(true) },
      ],
      [],
    ),
  );
  return (
    <div class="shell">
      <button type="button" class="skip button" onClick={skip}>
        Skip to the content
      </button>
      <Rail openHelp={() => openHelp(true)} />
      <main class="content" id="content" ref={content} tabIndex={-1}>
        <LiveNote />
        <Page />
      </main>
      {isHelpOpen && <KeyHelp close={() => openHelp(false)} />}
    </div>
  );
}
