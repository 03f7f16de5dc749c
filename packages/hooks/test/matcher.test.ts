import { describe, expect, it } from 'vitest';
import { matcherProblem, matches } from '../src/index.ts';
import { hookOf, plainEvent, toolEvent } from './scenery.ts';

const hits = (matcher: string, tool: string): boolean => matches(hookOf({ matcher }), toolEvent('pre_tool_use', tool, {}));

describe('a matcher', () => {
  it.each([
    ['', 'Bash', true],
    ['*', 'Bash', true],
    ['Bash', 'Bash', true],
    ['Bash', 'BashOutput', false],
    ['Bash', 'bash', false],
    ['Edit|Write', 'Write', true],
    ['Edit | Write', 'Edit', true],
    ['Edit|Write', 'Read', false],
    ['mcp__*', 'mcp__github__create_issue', true],
    ['mcp__*__create_*', 'mcp__github__create_issue', true],
    ['mcp__*__create_*', 'mcp__github__delete_issue', false],
    ['mcp__*', 'Bash', false],
    ['Ta?k', 'Task', true],
    ['Ta?k', 'Tak', false],
    ['*sh', 'Bash', true],
    ['*a*a*b', 'aaaaaaaab', true],
    ['*a*a*b', 'aaaaaaaac', false],
    ['Notebook*|Edit', 'NotebookEdit', true],
    ['mcp__a.b__c', 'mcp__a.b__c', true],
    ['mcp__a.b__c', 'mcp__aXb__c', false],
    ['/Bash/', 'BashOutput', true],
    ['/^Bash$/', 'BashOutput', false],
    ['/^(Edit|Write)$/', 'Write', true],
    ['/bash/i', 'Bash', true],
    ['/^mcp__.*__delete/', 'mcp__x__delete_all', true],
  ])('%j on %s: %s', (matcher, tool, expected) => {
    expect(matcherProblem(matcher)).toBeUndefined();
    expect(hits(matcher, tool)).toBe(expected);
  });

  it('counts on tool events only', () => {
    expect(matches(hookOf({ event: 'session_start', matcher: 'Bash' }), plainEvent('session_start'))).toBe(true);
  });

  it('lets a policy hear of a tool that nobody can name, and no other hook', () => {
    const event = plainEvent('pre_tool_use');
    expect(matches(hookOf({ matcher: 'Bash', failClosed: true }), event)).toBe(true);
    expect(matches(hookOf({ matcher: 'Bash' }), event)).toBe(false);
    expect(matches(hookOf({ matcher: '' }), event)).toBe(true);
  });

  it.each([
    ['/(a)\\1/', 'backreference'],
    ['/(?<n>a)\\k<n>/', 'backreference'],
    ['/a(?=b)/', 'ahead or behind'],
    ['/(?<!a)b/', 'ahead or behind'],
    [`/${'a'.repeat(1300)}/`, 'longer than'],
    ['/(a{100}){100}/', 'too large'],
    ['/(?:(?:){1000}){1000000}/', 'too large'],
    ['/(/', 'not a regular expression'],
    ['/Bash', 'does not end in /'],
    ['/Bash/g', 'does not end in /'],
    ['mcp__.*', 'write it as /mcp__.*/'],
    ['^Bash$', 'looks like a regular expression'],
    ['Edit||Write', 'empty alternative'],
  ])('%s is refused, and says why', (matcher, why) => {
    expect(matcherProblem(matcher)).toContain(why);
    expect(hits(matcher, 'Bash')).toBe(false);
  });

  it.each([
    '/(a+)+b/',
    '/(a|aa)*b/',
    '/((ab)?c)+/',
    '/(?:x{2,})*/',
    '/.*a.*b.*c.*d/',
    '/[(+*]+/',
    '/\\(a+\\)+/',
    '/(ab)+/',
    '/(a|b)?c/',
    '/^mcp__(github|gitlab)__/',
    '/[\\]a]+b/',
    '/a{2}/',
  ])('%s is accepted', (matcher) => {
    expect(matcherProblem(matcher)).toBeUndefined();
  });
});
