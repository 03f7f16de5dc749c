import type { PageStep } from '@piton/contracts/page';
import { useEffect, useMemo } from 'preact/hooks';
import { useApi, useList } from '../../api/resource.ts';
import { DiffFiles, DiffLayoutChoice } from '../../diff/diff-view.tsx';
import { useKeys } from '../../keyboard/keys.ts';
import { AgentName } from '../../parts/agent.tsx';
import { Commands } from '../../parts/command.tsx';
import { countOf } from '../../parts/format.ts';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Problem, Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { choose, route, routeTo } from '../../router/route.ts';
import { FileLines } from './file-lines.tsx';
import { Tree } from './tree.tsx';

const BY: Readonly<Record<PageStep['by'], string>> = { agent: 'an agent', human: 'you', shared: 'an agent or you' };

/** The working tree itself, behind the last step. */
const PRESENT = 'now';

function Diff({ id, step }: { readonly id: string; readonly step: PageStep }) {
  const diff = useApi('/api/repositories/:id/checkpoints/:id', [id, step.id], {});
  return (
    <Shown of={diff} lines={8}>
      {(value) => (
        <>
          <Commands commands={value.commands} />
          <DiffFiles diff={value} />
        </>
      )}
    </Shown>
  );
}

function StepHead({ step }: { readonly step: PageStep | undefined }) {
  if (!step) {
    return (
      <p class="step-head">
        <strong>The working tree, as it is now</strong>
      </p>
    );
  }
  return (
    <p class="step-head">
      <span class={`dot by-${step.by === 'agent' || step.by === 'human' ? step.by : 'either'}`} />
      <strong class="anywhere">{step.name}</strong>
      {step.agent ? <AgentName agent={step.agent} /> : <span class="soft">{BY[step.by]}</span>}
      <span class="soft">
        <Time at={step.at} /> · {step.kind} · <code>{step.shortId}</code>
        {step.files && ` · ${countOf(step.files.length + step.filesCut, 'file')}`}
      </span>
      {step.session && <a href={routeTo(['session', step.session])}>its session</a>}
      {step.commit && <span class="badge good">commit {step.commit.slice(0, 9)}</span>}
    </p>
  );
}

type View = 'diff' | 'file';

/** The slider goes through the turns; tree, diff and authors are those of the moment on which it stands. */
export function Steps({ id }: { readonly id: string }) {
  const list = useList('/api/repositories/:id/steps', [id], { limit: 200 });
  const steps = useMemo(() => (list.value ?? []).toReversed(), [list.value]);
  const { query } = route.value;
  const asked = query.get('at');
  const found = steps.findIndex((step) => step.id === asked);
  const latest = steps.findLastIndex(({ files }) => files === null || files.length > 0);
  const at = asked === PRESENT ? steps.length : found >= 0 ? found : latest >= 0 ? latest : Math.max(0, steps.length - 1);
  const step = steps[at];
  const path = query.get('path');
  const view: View = path !== null && query.get('view') !== 'diff' ? 'file' : 'diff';
  // A step that is older than the part that was read: read on until it is there.
  const isMissing = asked !== null && asked !== PRESENT && found < 0 && list.value !== undefined;
  useEffect(() => {
    if (isMissing) list.more?.();
  }, [isMissing, steps.length]);
  const move = (to: number) => choose({ at: steps[to]?.id ?? PRESENT });
  const keys = useMemo(
    () => [
      { key: '[', does: 'turn before', run: () => move(Math.max(0, at - 1)) },
      { key: ']', does: 'next turn', run: () => move(Math.min(steps.length, at + 1)) },
    ],
    [steps, at],
  );
  useKeys(keys);
  if (list.value === undefined)
    return list.problem ? <Problem problem={list.problem} retry={list.reload} /> : <Shown of={list}>{() => null}</Shown>;
  const moment = step?.id;
  return (
    <>
      <section class="card slider-card" aria-label="Turns">
        {steps.length === 0 ? (
          <Empty
            title="No checkpoints yet"
            text="They are saved when an agent works here. The files below are those of the working tree."
          />
        ) : (
          <>
            <div class="slider">
              <button type="button" class="button" onClick={() => move(Math.max(0, at - 1))} disabled={at === 0} aria-label="Turn before">
                ←
              </button>
              <input
                type="range"
                min={0}
                max={steps.length}
                value={at}
                aria-label="Turn"
                aria-valuetext={step ? `${at + 1} of ${steps.length}: ${step.name}` : 'now'}
                onInput={(event) => move(Number(event.currentTarget.value))}
              />
              <button type="button" class="button" onClick={() => move(at + 1)} disabled={at >= steps.length} aria-label="Next turn">
                →
              </button>
              <span class="small soft numbers position">{step ? `${at + 1} / ${steps.length}` : 'now'}</span>
            </div>
            <StepHead step={step} />
          </>
        )}
        {list.more && (
          <button type="button" class="button older" onClick={list.more}>
            Older turns
          </button>
        )}
      </section>
      <div class="steps-grid">
        <section class="card tree-card" aria-label="Files">
          <Tree id={id} at={moment} chosen={path} changed={step?.files ?? null} />
        </section>
        <section class="step-view" aria-label={view === 'diff' ? 'What changed' : 'File'}>
          <div class="toolbar">
            {path !== null && (
              <Segments<View>
                label="View"
                chosen={view}
                options={[
                  ['file', 'Who wrote it'],
                  ['diff', 'What changed'],
                ]}
                choose={(name) => choose({ view: name === 'file' ? undefined : name })}
              />
            )}
            {view === 'diff' && <DiffLayoutChoice />}
          </div>
          {view === 'file' && path !== null ? (
            <FileLines id={id} path={path} at={moment} />
          ) : step ? (
            <Diff id={id} step={step} />
          ) : (
            <section class="card">
              <Empty title="Choose a file to see who wrote its lines" />
            </section>
          )}
        </section>
      </div>
    </>
  );
}
