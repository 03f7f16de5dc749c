import type { PageCheckpoint, PageCommand, PageSession } from '@piton/contracts/page';
import { useState } from 'preact/hooks';
import { useApi } from '../../api/resource.ts';
import { Commands } from '../../parts/command.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { Shown } from '../../parts/states.tsx';
import { routeTo } from '../../router/route.ts';

const Diff = lazy(async () => (await import('../../diff/diff-view.tsx')).DiffFiles);

function CheckpointDiff({ checkpoint }: { readonly checkpoint: PageCheckpoint }) {
  const diff = useApi('/api/repositories/:id/checkpoints/:id', [checkpoint.repository, checkpoint.id], {});
  return <Shown of={diff}>{(value) => <Diff diff={value} />}</Shown>;
}

/** A place to go back to, on the line of what happened. Its diff is asked of git when somebody wants it. */
export function CheckpointItem(props: {
  readonly checkpoint: PageCheckpoint;
  readonly commands: readonly PageCommand[];
  readonly session: PageSession;
}) {
  const { checkpoint, commands } = props;
  const [isOpen, open] = useState(false);
  return (
    <details class="checkpoint" open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary data-row>
        <span class={`dot by-${checkpoint.by === 'shared' ? 'either' : checkpoint.by}`} />
        <span>Checkpoint</span> <code>{checkpoint.shortId}</code> <span class="soft one-line">{checkpoint.name}</span>
        {checkpoint.commit && <span class="badge good">commit {checkpoint.commit.slice(0, 9)}</span>}
      </summary>
      {isOpen && (
        <div class="tool-detail">
          <Commands commands={commands} />
          <p class="small">
            <a href={routeTo(['repositories', checkpoint.repository], { tab: 'steps', at: checkpoint.id })}>
              The whole tree at this moment
            </a>
          </p>
          <CheckpointDiff checkpoint={checkpoint} />
        </div>
      )}
    </details>
  );
}
