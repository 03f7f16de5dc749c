import type { PageList, PageProblem, PageRoutes } from '@piton/contracts/page';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf, request } from './client.ts';
import { onReset } from './live.ts';

export interface Resource<Value> {
  /** What was read last, kept while it is read again, so that nothing jumps. */
  readonly value: Value | undefined;
  readonly problem: PageProblem | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

type AnswerOf<Route extends keyof PageRoutes> = PageRoutes[Route]['answer'];
type QueryOf<Route extends keyof PageRoutes> = PageRoutes[Route]['query'];

/**
 * Reads a path of the API, and again when the path changes, on `reload`, and when the stream lost its position. `key`: what is read;
 * what was read before under the same key stays meanwhile, such as a window of time that moved.
 */
export function usePath<Value>(path: string | null, key = path): Resource<Value> {
  const [state, set] = useState<{ key: string | null; value?: Value; problem?: PageProblem }>({ key: null });
  const [round, again] = useState(0);
  const reload = useRef(() => again((count) => count + 1)).current;
  useEffect(() => onReset(reload), [reload]);
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    request<Value>(path, abort.signal).then(
      (answer) => {
        if (abort.signal.aborted) return;
        set((before) =>
          answer.ok
            ? { key, value: answer.value }
            : { key, problem: answer.problem, ...(before.key === key && before.value !== undefined ? { value: before.value } : {}) },
        );
      },
      () => {}, // aborted
    );
    return () => abort.abort();
  }, [path, key, round]);
  const current = state.key === key;
  return {
    value: current ? state.value : undefined,
    problem: current ? state.problem : undefined,
    isLoading: key !== null && !current,
    reload,
  };
}

/** `null` reads nothing yet. */
export const useApi = <Route extends keyof PageRoutes>(
  route: Route | null,
  ids: readonly string[],
  query: QueryOf<Route>,
): Resource<AnswerOf<Route>> => usePath<AnswerOf<Route>>(route === null ? null : pathOf(route, ids, query));

type ListRoute = { [Route in keyof PageRoutes]: AnswerOf<Route> extends PageList<unknown> ? Route : never }[keyof PageRoutes];
type ItemOf<Route extends ListRoute> = AnswerOf<Route> extends PageList<infer Item> ? Item : never;

export interface ListResource<Item> extends Resource<readonly Item[]> {
  /** Reads the next part; undefined at the end. */
  readonly more: (() => void) | undefined;
}

/** A list in parts, the first read at once. */
export function useList<Route extends ListRoute>(
  route: Route | null,
  ids: readonly string[],
  query: QueryOf<Route>,
): ListResource<ItemOf<Route>> {
  type Item = ItemOf<Route>;
  const path = route === null ? null : pathOf(route, ids, query);
  const first = usePath<PageList<Item>>(path);
  const [parts, set] = useState<{ after: PageList<Item>; items: readonly Item[]; next: string | null; problem?: PageProblem }>();
  const rest = parts && parts.after === first.value ? parts : undefined;
  const next = rest ? rest.next : (first.value?.next ?? null);
  const more = async () => {
    if (path === null || next === null || first.value === undefined) return;
    const after = first.value;
    const answer = await request<PageList<Item>>(`${path}${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(next)}`);
    const items = rest?.items ?? [];
    if (answer.ok) set({ after, items: [...items, ...answer.value.items], next: answer.value.next });
    else set({ after, items, next, problem: answer.problem });
  };
  const problem = first.problem ?? rest?.problem;
  return {
    value: first.value && [...first.value.items, ...(rest?.items ?? [])],
    problem,
    isLoading: first.isLoading,
    reload: first.reload,
    more: next === null ? undefined : () => void more(),
  };
}
