import { signal } from '@preact/signals';

/** Where the page is: the parts of the path, and what is chosen on it. It lives in the fragment, so one HTML serves all. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a percent sign that somebody typed
  }
}

export function parseRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

export type Chosen = Readonly<Record<string, string | undefined>>;

export function routeTo(path: readonly string[], chosen: Chosen = {}): string {
  const query = new URLSearchParams(Object.entries(chosen).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const text = query.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

export const route = signal<Route>(parseRoute(location.hash));

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

export const goTo = (path: readonly string[], chosen?: Chosen): void => {
  location.hash = routeTo(path, chosen);
};

/** Changes what is chosen on this page without a new entry in the history. */
export function choose(changes: Chosen): void {
  const { path, query } = route.value;
  const chosen = { ...Object.fromEntries(query), ...changes };
  history.replaceState(null, '', routeTo(path, chosen));
  route.value = parseRoute(location.hash);
}
