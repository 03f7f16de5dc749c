import type { PageTreeEntry } from '@piton/contracts/page';
import { useEffect, useState } from 'preact/hooks';
import { useApi } from '../../api/resource.ts';
import { formatBytes, formatCount } from '../../parts/format.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { choose } from '../../router/route.ts';

interface Place {
  readonly id: string;
  readonly at: string | undefined;
  readonly chosen: string | null;
  readonly changed: readonly string[] | null;
}

function Folder(props: Place & { readonly path: string }) {
  const { id, at, path } = props;
  const tree = useApi('/api/repositories/:id/tree', [id], { ...(at && { at }), ...(path && { path }) });
  return (
    <Shown of={tree} lines={path === '' ? 6 : 2}>
      {({ entries, cut }) =>
        entries.length === 0 ? (
          <Empty title="No files" />
        ) : (
          <ul class="tree">
            {entries.map((entry) => (
              <Entry key={entry.path} {...props} entry={entry} />
            ))}
            {cut > 0 && <li class="small soft">{formatCount(cut)} more</li>}
          </ul>
        )
      }
    </Shown>
  );
}

function Entry(props: Place & { readonly entry: PageTreeEntry }) {
  const { entry, chosen, changed } = props;
  const isOnTheWay = chosen?.startsWith(`${entry.path}/`) ?? false;
  const [isOpen, open] = useState(isOnTheWay);
  useEffect(() => {
    if (isOnTheWay) open(true);
  }, [isOnTheWay]);
  const isChanged = entry.changed || (changed?.some((path) => path === entry.path || path.startsWith(`${entry.path}/`)) ?? false);
  const mark = isChanged && (
    <>
      <span class="dot accent" aria-hidden="true" />
      <span class="hidden-text">changed</span>
    </>
  );
  if (entry.kind === 'folder') {
    return (
      <li>
        <button type="button" class="folder" aria-expanded={isOpen} onClick={() => open(!isOpen)} data-row>
          <span class="one-line">{entry.name}/</span> {mark}
        </button>
        {isOpen && <Folder {...props} path={entry.path} />}
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        class="file"
        aria-current={entry.path === chosen ? 'true' : undefined}
        onClick={() => choose({ path: entry.path, view: undefined })}
        disabled={entry.kind === 'submodule'}
        data-row
      >
        <span class="one-line">{entry.name}</span> {mark}
        {entry.bytes !== null && <span class="small soft numbers">{formatBytes(entry.bytes)}</span>}
      </button>
    </li>
  );
}

export const Tree = (props: Place) => <Folder {...props} path="" />;
