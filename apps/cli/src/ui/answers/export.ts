import { gather, openAt } from '../../export/gather.ts';
import { toHtml } from '../../export/html.ts';
import { toMarkdown } from '../../export/markdown.ts';
import { jsonText } from '../../output/safe-text.ts';
import { type Answer, badRequest, notFound } from '../answer.ts';
import type { PageReader } from '../reader.ts';
import { requireStore } from './session.ts';

/** The report of `piton export`, as a file to save. */
export async function answerExport(reader: PageReader, query: URLSearchParams, ref: string): Promise<Answer> {
  const store = await requireStore(reader);
  const found = await store.session(ref);
  if (found.found !== 'one') throw notFound('no such session');
  const { id, providerRef, repo, projectPath } = found.value;
  const { context, places, redactor } = reader;
  const checkpoints = await openAt(context, repo ?? projectPath, places.home, redactor).catch(() => null);
  const chosen = { kind: 'session', name: id, base: null, commits: [], sessions: [id], providerRef } as const;
  const { document } = await gather({ context: { ...context, interactive: false }, checkpoints, store, chosen, redactor, full: false });
  switch (query.get('format') ?? 'html') {
    case 'html':
      return { status: 200, type: 'text/html; charset=utf-8', name: `session-${id}.html`, body: toHtml(document, false) };
    case 'markdown':
      return { status: 200, type: 'text/markdown; charset=utf-8', name: `session-${id}.md`, body: toMarkdown(document, false) };
    case 'json':
      return { status: 200, type: 'application/json; charset=utf-8', name: `session-${id}.json`, body: jsonText(document, 2) };
    default:
      throw badRequest('format is html, markdown or json');
  }
}
