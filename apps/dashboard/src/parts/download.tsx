import type { PageProblem } from '@piton/contracts/page';
import { useState } from 'preact/hooks';
import { download } from '../api/client.ts';

export function DownloadButton({ path, name, label }: { readonly path: string; readonly name: string; readonly label: string }) {
  const [problem, fail] = useState<PageProblem | null>(null);
  const save = async () => fail(await download(path, name));
  return (
    <>
      <button type="button" class="button" onClick={() => void save()}>
        {label}
      </button>
      {problem && <span role="alert">{problem.error}</span>}
    </>
  );
}
