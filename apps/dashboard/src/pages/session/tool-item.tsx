import type { PageItem } from '@piton/contracts/page';
import { useState } from 'preact/hooks';
import { Commands } from '../../parts/command.tsx';
import { DecisionBadge } from '../../parts/decision.tsx';
import { formatDuration } from '../../parts/format.ts';
import { pathIn } from '../../parts/paths.ts';
import { Since } from '../../parts/time.tsx';
import { route } from '../../router/route.ts';
import { Code } from '../../text/code.tsx';
import { languageOfPath, prettyJson } from '../../text/language.ts';
import { LimitedText } from '../../text/page-text.tsx';
import { DecisionDetail } from './decision-detail.tsx';

type Tool = Extract<PageItem, { kind: 'tool' }>;

const STATES: Readonly<Record<Tool['state'], readonly [string, string] | null>> = {
  open: ['accent', 'runs'],
  done: null,
  failed: ['bad', 'failed'],
  denied: ['bad', 'denied'],
};

function Target({ item, root }: { readonly item: Tool; readonly root: string | null }) {
  if (item.command) return <code class="one-line">{item.command.text}</code>;
  if (item.files.length === 0) return null;
  return (
    <code class="one-line">
      {pathIn(root, item.files[0] ?? '')}
      {item.files.length > 1 && ` +${item.files.length - 1}`}
    </code>
  );
}

function Detail({ item }: { readonly item: Tool }) {
  const language = item.files.length === 1 ? languageOfPath(item.files[0] ?? '') : undefined;
  return (
    <div class="tool-detail">
      {item.command && <LimitedText value={item.command}>{(text) => <Code text={text} language="bash" />}</LimitedText>}
      {item.decision && <DecisionDetail decision={item.decision} />}
      <Commands commands={item.commands} />
      {item.input && (
        <section>
          <h3>Input</h3>
          <LimitedText value={item.input}>{(text) => <Code text={prettyJson(text)} language="json" />}</LimitedText>
        </section>
      )}
      {item.output ? (
        <section>
          <h3>Output</h3>
          <LimitedText value={item.output}>
            {(text) => <Code text={prettyJson(text)} language={/^\s*[[{]/.test(text) ? 'json' : language} />}
          </LimitedText>
        </section>
      ) : (
        item.state !== 'open' && <p class="small soft">No output is kept: it expires after 30 days, or there was none.</p>
      )}
    </div>
  );
}

/** Folded; what it read and wrote is drawn when somebody opens it. */
export function ToolItem({ item, root }: { readonly item: Tool; readonly root: string | null }) {
  const isAsked = item.event !== null && route.value.query.get('event') === item.event;
  const [isOpen, open] = useState(isAsked);
  const state = STATES[item.state];
  const said = item.decision?.decision;
  return (
    <details class={`tool ${item.state}`} open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary data-row>
        <strong>{item.name}</strong>
        <Target item={item} root={root} />
        <span class="end small soft">
          {said && said !== 'observe' && said !== 'deny' && <DecisionBadge decision={said} />}
          {state && <span class={`badge ${state[0]}`}>{state[1]}</span>}
          {item.waitedMs > 0 && <span title="waited for a person">⏸ {formatDuration(item.waitedMs)}</span>}
          {item.endedAt === null ? (
            item.state === 'open' && <Since at={item.at} />
          ) : (
            <span class="numbers">{formatDuration(item.endedAt - item.at)}</span>
          )}
        </span>
        {said === 'deny' && <span class="why small">{item.decision?.reason}</span>}
      </summary>
      {isOpen && <Detail item={item} />}
    </details>
  );
}
