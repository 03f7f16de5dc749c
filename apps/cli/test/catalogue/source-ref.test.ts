import { describe, expect, it } from 'vitest';
import { parseSourceRef, sourceText } from '../../src/catalogue/source-ref.ts';

describe('where a hook comes from', () => {
  it.each([
    ['protect-paths', { kind: 'name', name: 'protect-paths' }],
    ['./mine', { kind: 'folder', path: './mine' }],
    ['~/hooks/mine', { kind: 'folder', path: '~/hooks/mine' }],
    ['hooks/mine', { kind: 'folder', path: 'hooks/mine' }],
    ['https://example.com/team/hooks.git', { kind: 'git', url: 'https://example.com/team/hooks.git', ref: undefined }],
    ['git+https://example.com/hooks#feature/x', { kind: 'git', url: 'https://example.com/hooks', ref: 'feature/x' }],
    ['ssh://git@example.com:2222/hooks.git#v1', { kind: 'git', url: 'ssh://git@example.com:2222/hooks.git', ref: 'v1' }],
    ['git@example.com:team/hooks.git#v1', { kind: 'git', url: 'git@example.com:team/hooks.git', ref: 'v1' }],
    ['npm:hooks', { kind: 'npm', name: 'hooks', wanted: '' }],
    ['hooks@1.2.0', { kind: 'npm', name: 'hooks', wanted: '1.2.0' }],
    ['@team/hooks', { kind: 'npm', name: '@team/hooks', wanted: '' }],
    ['@team/hooks@^1.0.0', { kind: 'npm', name: '@team/hooks', wanted: '^1.0.0' }],
  ])('%s', (text, ref) => {
    expect(parseSourceRef(text)).toEqual(ref);
    expect(parseSourceRef(sourceText(parseSourceRef(text)))).toEqual(ref);
  });
});
