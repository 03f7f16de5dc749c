import { expect, test } from 'vitest';
import { isUncertain, UNKNOWN, walkCommand } from '../src/index.ts';

const callsOf = (command: string, program: string): (readonly string[])[] =>
  walkCommand(command, { cwd: '/code/app', home: '/home/ann' })
    .calls.filter((call) => call.program === program)
    .map(({ args }) => args);

test('what a subshell assigns ends with it', () => {
  expect(callsOf('X=a; (X=b; stub $X); stub $X', 'stub')).toEqual(expect.arrayContaining([['b'], ['a']]));
  expect(callsOf('X=a; (X=b); stub $X', 'stub')).toEqual([['a']]);
  expect(callsOf('(X=b); stub "$X"', 'stub')).not.toContainEqual(['b']);
});

test('so do a function, an alias and positional words of it', () => {
  expect(callsOf('(f() { rm x; }); f', 'f')).toEqual([[]]);
  expect(callsOf('set -- a; (set -- b); stub "$1"', 'stub')).toEqual([['a']]);
});

test('an assignment before a command may hold for that command alone', () => {
  expect(callsOf('X=a env; stub "$X"', 'stub')).toEqual([['a'], [UNKNOWN]]);
  expect(callsOf('X=/etc; X=a env; stub "$X"', 'stub')).toEqual([['/etc'], ['a']]);
  expect(callsOf('X=a; stub "$X"', 'stub')).toEqual([['a']]);
});

test.each(['unshare -r rm x', 'setpriv --reuid 1 rm x', 'systemd-run --user rm x', 'nsenter -t 1 -m rm x', 'prlimit --nproc=4 rm x'])(
  '%j starts the program inside',
  (command) => {
    expect(callsOf(command, 'rm')).toEqual([['x']]);
  },
);

test('an escaped tab in an array is unknown: bash 5.2 makes a blank of it inside a substitution', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  const [args = []] = callsOf('x=$(v=(a \\\n\\\tb c); stub "${v[@]}")', 'stub');
  expect([args.length, args[0], args[2], isUncertain(args[1] ?? '')]).toEqual([3, 'a', 'c', true]);
});
