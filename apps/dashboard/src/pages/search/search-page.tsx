import type { PageHit } from '@piton/contracts/page';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApi } from '../../api/resource.ts';
import { AgentMark, titleOf } from '../../parts/agent.tsx';
import { eventHref } from '../../parts/event-row.tsx';
import { AgentChoice, RepositoryChoice, useRepositories } from '../../parts/filters.tsx';
import { countOf, nameOfPath } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { choose, route, routeTo } from '../../router/route.ts';
import './search.css';

const WAIT_MS = 180;

function Hit({ hit }: { readonly hit: PageHit }) {
  const href = hit.event
    ? eventHref({ id: hit.event, session: hit.session })
    : hit.session
      ? routeTo(['session', hit.session])
      : routeTo(['search']);
  return (
    <li class="hit">
      <a href={href} data-row>
        <AgentMark agent={hit.agent} />
        <span class="excerpt">{hit.excerpt.map(({ text, match }, at) => (match ? <mark key={at}>{text}</mark> : text))}</span>
        <span class="small soft where">
          {hit.place} · {titleOf(hit.agent)}
          {hit.root && ` · ${nameOfPath(hit.root)}`}
          {hit.branch && ` · ${hit.branch}`} · <Time at={hit.at} />
        </span>
      </a>
    </li>
  );
}

export function SearchPage() {
  const repositories = useRepositories();
  const { query } = route.value;
  const asked = query.get('q') ?? '';
  const [text, type] = useState(asked);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => choose({ q: text.trim() || undefined }), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const order = query.get('order') === 'newest' ? 'newest' : 'best';
  const [agent, repository] = ['agent', 'repository'].map((name) => query.get(name));
  const hits = useApi(asked === '' ? null : '/api/search', [], {
    q: asked,
    order,
    limit: 60,
    ...(agent && { agent }),
    ...(repository && { repository }),
  });
  return (
    <>
      <header class="page-head">
        <h1>Search</h1>
        <div class="end toolbar">
          <AgentChoice />
          <RepositoryChoice repositories={repositories} />
          <Segments
            label="Order"
            chosen={order}
            options={[
              ['best', 'Best'],
              ['newest', 'Newest'],
            ]}
            choose={(name) => choose({ order: name === 'best' ? undefined : name })}
          />
        </div>
      </header>
      <input
        ref={field}
        type="search"
        class="field search-field"
        aria-label="Words of prompts, answers, commands, files and errors"
        placeholder="Words of prompts, answers, commands, files, errors"
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
      <section class="card hits" aria-label="Hits" aria-live="polite">
        {asked === '' ? (
          <Empty
            title="What was it?"
            text="A word of a prompt, an answer, a command, a file or an error. Every session of every agent is searched."
          />
        ) : (
          <Shown of={hits} lines={6}>
            {(value) => (
              <>
                {value.hits.length === 0 ? (
                  <Empty title="Nothing was found" text="Every word has to occur, or begin one that does." />
                ) : (
                  <ul class="rows">
                    {value.hits.map((hit, at) => (
                      <Hit key={`${hit.event} ${at}`} hit={hit} />
                    ))}
                  </ul>
                )}
                {value.unindexed > 0 && (
                  <p class="note small">{countOf(value.unindexed, 'record')} can not be found yet: they are being indexed.</p>
                )}
              </>
            )}
          </Shown>
        )}
      </section>
    </>
  );
}
