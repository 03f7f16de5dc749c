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
  it('is taken out, and every other byte stays', () => {
    expect(withMode(HEAD, undefined)).toBe(HEAD.replace('mode: shadow  # on trial\n', ''));
  });

  it('is put in where there is none, and comes out again without a trace', () => {
    const bare = HEAD.replace('mode: shadow  # on trial\n', '');
    expect(withMode(bare, 'shadow')).toContain('\n  mode: shadow\nmode: shadow\n---\n');
    expect(withMode(withMode(bare, 'shadow') ?? '', undefined)).toBe(bare);
  });

  it('replaces another mode, and keeps line ends as they are', () => {
    const text = '---\r\n"mode": enforce\r\ntype: hook\r\n---\r\n';
    expect(withMode(text, 'shadow')).toBe('---\r\nmode: shadow\r\ntype: hook\r\n---\r\n');
  });

  it('is left to a person where one line would not do', () => {
    expect(withMode('---\n{ type: hook, mode: shadow }\n---\n', undefined)).toBeUndefined();
    expect(withMode('no head', 'shadow')).toBeUndefined();
  });
});
