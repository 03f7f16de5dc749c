import type { PageCommit } from '@piton/contracts/page';
import { useState } from 'preact/hooks';
import { useApi, useList } from '../../api/resource.ts';
import type { ExportLines } from '../../api/words.ts';
import { DiffFiles, DiffLayoutChoice } from '../../diff/diff-view.tsx';
import { AgentName } from '../../parts/agent.tsx';
import { formatCount } from '../../parts/format.ts';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { routeTo } from '../../router/route.ts';

const AUTHORS = [
  ['agent', 'by-agent', 'agents'],
  ['human', 'by-human', 'you'],
  ['shared', 'by-either', 'either'],
] as const;

/** `lines` is undefined while git counts them: what is said of them takes its place from the start. */
function Share({ lines }: { readonly lines: ExportLines | null | undefined }) {
  const total = lines ? lines.agent + lines.human + lines.shared : 0;
  if (!lines || total === 0) return <span class="share small soft">{lines === undefined ? '' : 'no lines added'}</span>;
  return (
    <span class="share">
      <span class="share-bar" aria-hidden="true">
        {AUTHORS.map(
          ([name, tone]) => lines[name] > 0 && <i key={name} class={tone} style={{ width: `${(lines[name] / total) * 100}%` }} />,
        )}
      </span>
      <span class="small soft numbers">
        {AUTHORS.flatMap(([name, , text]) => (lines[name] > 0 ? [`${formatCount(lines[name])} ${text}`] : [])).join(', ')}
      </span>
    </span>
  );
}

function CommitDiff({ id, sha }: { readonly id: string; readonly sha: string }) {
  const diff = useApi('/api/repositories/:id/diff', [id], { at: sha });
  return (
    <div class="commit-diff">
      <DiffLayoutChoice />
      <Shown of={diff}>{(value) => <DiffFiles diff={value} />}</Shown>
    </div>
  );
}

function Commit({
  id,
  commit,
  lines,
}: {
  readonly id: string;
  readonly commit: PageCommit;
  readonly lines: ExportLines | null | undefined;
}) {
  const [isOpen, open] = useState(false);
  const agents = [...new Set(commit.sessions.flatMap(({ agent }) => agent ?? []))];
  return (
    <li>
      <details class="commit" open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
        <summary data-row>
          <span class="subject anywhere">{commit.subject}</span>
          <span class="small soft makers">
            {agents.map((agent) => (
              <AgentName key={agent} agent={agent} />
            ))}
            <span>
              <code>{commit.sha.slice(0, 9)}</code> {commit.author} · <Time at={commit.at} />
            </span>
          </span>
          <Share lines={lines} />
        </summary>
        {isOpen && (
          <>
            {commit.sessions.length > 0 && (
              <ul class="made-by small">
                {commit.sessions.map((session) => (
                  <li key={session.providerRef}>
                    {session.agent && <AgentName agent={session.agent} />}{' '}
                    {session.id ? <a href={routeTo(['session', session.id])}>session</a> : <span class="soft">{session.providerRef}</span>}
                  </li>
                ))}
              </ul>
            )}
            <CommitDiff id={id} sha={commit.sha} />
          </>
        )}
      </details>
    </li>
  );
}

/** The list is there at once; whose the lines are takes git a while and comes after it. */
export function Commits({ id }: { readonly id: string }) {
  const commits = useList('/api/repositories/:id/commits', [id], { limit: 30 });
  const counted = useList(commits.value ? '/api/repositories/:id/commits' : null, [id], { limit: 30, lines: 1 });
  const linesOf = new Map((counted.value ?? []).map(({ sha, lines }) => [sha, lines]));
  return (
    <section class="card" aria-label="Commits">
      <Shown of={commits} lines={8}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No commits yet" />
          ) : (
            <ul class="rows">
              {list.map((commit) => (
                <Commit
                  key={commit.sha}
                  id={id}
                  commit={commit}
                  lines={commit.lines ?? (counted.problem ? null : linesOf.get(commit.sha))}
                />
              ))}
            </ul>
          )
        }
      </Shown>
      <More
        more={
          commits.more &&
          (() => {
            commits.more?.();
            counted.more?.();
          })
        }
      />
    </section>
  );
}
