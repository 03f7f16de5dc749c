import type { PageList, PageWholeText } from './common.ts';
import type { PageBacktest, PageHook, PageHookRun, PageShadow } from './hooks.ts';
import type { PageMeta } from './meta.ts';
import type { PageEventRow, PageNow } from './now.ts';
import type { PageHealth, PageHits, PageOverview } from './overview.ts';
import type { PageCommit, PageDiff, PageFile, PageRepository, PageRepositoryDetail, PageStep, PageTree } from './repositories.ts';
import type { PageLanes, PageSession, PageSessionDetail, PageTurn } from './sessions.ts';
import type { PageEvent, PageItem } from './timeline.ts';

/** Every list takes them. */
interface Paged {
  readonly after?: string;
  /** At most 200. */
  readonly limit?: number;
}
/** Ids of agents and repositories; `since` and `until` in ms since 1970. */
interface Filter {
  readonly agent?: string;
  readonly repository?: string;
  readonly since?: number;
}

/**
 * All GET routes with their query and answer. `:id` stands for one part of the path, percent-encoded.
 * Beside them: POST /api/token, GET /api/live (see `PageFrame`), and the static files.
 */
export interface PageRoutes {
  '/api/meta': { readonly query: object; readonly answer: PageMeta };
  '/api/now': { readonly query: object; readonly answer: PageNow };
  /** By the last event, newest first. Without `below` only sessions that no other has started. */
  '/api/sessions': {
    readonly query: Paged & Filter & { readonly phase?: PageSession['phase']; readonly denied?: 1; readonly below?: string };
    readonly answer: PageList<PageSession>;
  };
  '/api/lanes': { readonly query: Filter & { readonly until?: number }; readonly answer: PageLanes };
  '/api/sessions/:id': { readonly query: object; readonly answer: PageSessionDetail };
  /** From the first on; `order=last` from the last on. */
  '/api/sessions/:id/turns': { readonly query: Paged & { readonly order?: 'first' | 'last' }; readonly answer: PageList<PageTurn> };
  /** In order of time; of one turn by its number (0: before the first), or of the whole session. */
  '/api/sessions/:id/items': { readonly query: Paged & { readonly turn?: number }; readonly answer: PageList<PageItem> };
  /** The report of `piton export` as a file to save; not JSON but for `format=json`. */
  '/api/sessions/:id/export': { readonly query: { readonly format?: 'html' | 'markdown' | 'json' }; readonly answer: string };
  /** Newest first. */
  '/api/events': {
    readonly query: Paged & Filter & { readonly session?: string; readonly denied?: 1; readonly name?: string };
    readonly answer: PageList<PageEventRow>;
  };
  '/api/events/:id': { readonly query: object; readonly answer: PageEvent };
  '/api/text': { readonly query: { readonly of: string }; readonly answer: PageWholeText };
  '/api/repositories': { readonly query: Paged; readonly answer: PageList<PageRepository> };
  '/api/repositories/:id': { readonly query: object; readonly answer: PageRepositoryDetail };
  '/api/repositories/:id/commits': { readonly query: Paged & { readonly lines?: 1 }; readonly answer: PageList<PageCommit> };
  '/api/repositories/:id/steps': { readonly query: Paged & { readonly session?: string }; readonly answer: PageList<PageStep> };
  '/api/repositories/:id/checkpoints/:id': { readonly query: object; readonly answer: PageDiff };
  '/api/repositories/:id/tree': { readonly query: { readonly at?: string; readonly path?: string }; readonly answer: PageTree };
  '/api/repositories/:id/diff': {
    readonly query: { readonly at: string; readonly from?: string; readonly path?: string };
    readonly answer: PageDiff;
  };
  '/api/repositories/:id/file': { readonly query: { readonly path: string; readonly at?: string }; readonly answer: PageFile };
  '/api/hooks': { readonly query: { readonly repository?: string }; readonly answer: PageList<PageHook> };
  '/api/hooks/runs': {
    readonly query: Paged & { readonly hook: string; readonly root?: string; readonly said?: string; readonly failed?: 1 };
    readonly answer: PageList<PageHookRun>;
  };
  '/api/hooks/shadow': { readonly query: { readonly hook: string; readonly root?: string }; readonly answer: PageShadow };
  '/api/hooks/backtest': { readonly query: { readonly hook: string; readonly root?: string }; readonly answer: PageBacktest | null };
  '/api/overview': {
    readonly query: { readonly days?: number; readonly repository?: string; readonly zone?: string };
    readonly answer: PageOverview;
  };
  '/api/health': { readonly query: object; readonly answer: PageHealth };
  '/api/search': {
    readonly query: Filter & { readonly q: string; readonly order?: 'best' | 'newest'; readonly limit?: number };
    readonly answer: PageHits;
  };
}
