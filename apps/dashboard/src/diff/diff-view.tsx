import type { PageDiff, PageFileDiff } from '@piton/contracts/page';
import { useMemo } from 'preact/hooks';
import { formatCount } from '../parts/format.ts';
import { ScrollArea } from '../parts/scroll-area.tsx';
import { Segments } from '../parts/segments.tsx';
import { Empty } from '../parts/states.tsx';
import { choose, route } from '../router/route.ts';
import { LimitedText } from '../text/page-text.tsx';
import { type DiffLine, linesOf, pairsOf } from './rows.ts';
import './diff.css';

export type DiffLayout = 'unified' | 'split';
const layoutOf = (): DiffLayout => (route.value.query.get('diff') === 'split' ? 'split' : 'unified');

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '-', hunk: '' };

function Text({ line }: { readonly line: DiffLine }) {
  return (
    <>
      {line.pieces.map(({ text, changed }, at) => (changed ? <mark key={at}>{text}</mark> : text))}
      {line.pieces.every(({ text }) => text === '') && '\u200b'}
    </>
  );
}

function Cells({ line, number }: { readonly line: DiffLine | null; readonly number: number | null }) {
  return (
    <>
      <td class={`number ${line?.kind ?? 'none'}`}>{number}</td>
      <td class={`text ${line?.kind ?? 'none'}`} data-sign={line ? SIGNS[line.kind] : ''}>
        {line && <Text line={line} />}
      </td>
    </>
  );
}

function Rows({ patch, layout }: { readonly patch: string; readonly layout: DiffLayout }) {
  const pairs = useMemo(() => pairsOf(patch), [patch]);
  if (layout === 'split') {
    return (
      <table class="diff split">
        <tbody>
          {pairs.map(({ left, right }, at) => (
            <tr key={at}>
              <Cells line={left} number={left?.oldNumber ?? null} />
              <Cells line={right} number={right?.newNumber ?? null} />
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  return (
    <table class="diff unified">
      <tbody>
        {linesOf(pairs).map((line, at) => (
          <tr key={at}>
            <td class={`number ${line.kind}`}>{line.oldNumber}</td>
            <Cells line={line} number={line.newNumber} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const CHANGES: Readonly<Record<PageFileDiff['change'], string>> = {
  added: 'new',
  changed: '',
  deleted: 'deleted',
  renamed: 'renamed',
  mode: 'mode changed',
};

export function FileDiff({ file, layout, isOpen }: { readonly file: PageFileDiff; readonly layout: DiffLayout; readonly isOpen: boolean }) {
  return (
    <details class="file-diff" open={isOpen}>
      <summary data-row>
        <span class="path">
          {file.oldPath && file.oldPath !== file.path && <span class="soft">{file.oldPath} → </span>}
          {file.path}
        </span>
        {CHANGES[file.change] && <span class="badge">{CHANGES[file.change]}</span>}
        <span class="sums numbers">
          <span class="plus">+{formatCount(file.added)}</span> <span class="minus">−{formatCount(file.removed)}</span>
        </span>
      </summary>
      {file.binary ? (
        <p class="soft small inside">A binary file.</p>
      ) : (
        <LimitedText value={file.patch}>
          {(patch) => (
            <ScrollArea name="diff-scroll" label={`Diff of ${file.path}`}>
              <Rows patch={patch} layout={layout} />
            </ScrollArea>
          )}
        </LimitedText>
      )}
    </details>
  );
}

export function DiffLayoutChoice() {
  return (
    <Segments
      label="Diff"
      chosen={layoutOf()}
      options={[
        ['unified', 'Unified'],
        ['split', 'Side by side'],
      ]}
      choose={(diff) => choose({ diff: diff === 'unified' ? undefined : diff })}
    />
  );
}

const MANY = 12;

export function DiffFiles({ diff }: { readonly diff: PageDiff }) {
  if (diff.files.length === 0) return <Empty title="No files differ" />;
  return (
    <div class="diff-files">
      {diff.files.map((file, at) => (
        <FileDiff key={file.path} file={file} layout={layoutOf()} isOpen={at < MANY} />
      ))}
      {diff.cut > 0 && <p class="soft small">{formatCount(diff.cut)} more files.</p>}
    </div>
  );
}
