import { describe, expect, it } from 'vitest';
import { withMode } from '../src/index.ts';

const HEAD = `---
type: hook   # a guard
version: 1.0.0
hook_event: pre_tool_use
mode: shadow  # on trial
hook_action: |
  mode: shadow
---

mode: shadow
`;

describe('the mode of an artifact', () => {
  it('is removed, and every other byte stays', () => {
    expect(withMode(HEAD, undefined)).toBe(HEAD.replace('mode: shadow  # on trial\n', ''));
  });

  it('is added if there is none, and removing it restores the text', () => {
    const bare = HEAD.replace('mode: shadow  # on trial\n', '');
    expect(withMode(bare, 'shadow')).toContain('\n  mode: shadow\nmode: shadow\n---\n');
    expect(withMode(withMode(bare, 'shadow') ?? '', undefined)).toBe(bare);
  });

  it('replaces another mode, and keeps line endings', () => {
    const text = '---\r\n"mode": enforce\r\ntype: hook\r\n---\r\n';
    expect(withMode(text, 'shadow')).toBe('---\r\nmode: shadow\r\ntype: hook\r\n---\r\n');
  });

  it('is not changed if one line is not enough', () => {
    expect(withMode('---\n{ type: hook, mode: shadow }\n---\n', undefined)).toBeUndefined();
    expect(withMode('no head', 'shadow')).toBeUndefined();
  });
});
