import { describe, expect, it } from 'vitest';
import { withSettingMode } from '../../src/hook-tests/setting-mode.ts';

const file = (entry: string): string =>
  `// mine\n{\n  "hooks": [\n    { "event": "stop",   "command": "true" },\n    ${entry}, // two\n  ],\n}\n`;

/** An entry in shadow mode, and the same without. The third is the result of adding the mode again, if that differs. */
const ENTRIES: readonly [string, string, string, string?][] = [
  ['on one line', '{ "name": "a", "command": "x", "mode": "shadow" }', '{ "name": "a", "command": "x" }'],
  ['on one line, with a comma at the end', '{ "name": "a", "mode": "shadow", }', '{ "name": "a", }', '{ "name": "a", "mode": "shadow", }'],
  ['first on its line', '{ "mode": "shadow", "name": "a" }', '{ "name": "a" }', '{ "name": "a", "mode": "shadow" }'],
  ['last', '{\n      "name": "a",\n      "mode": "shadow"\n    }', '{\n      "name": "a"\n    }'],
  ['last, with a comma', '{\n      "name": "a",\n      "mode": "shadow",\n    }', '{\n      "name": "a",\n    }'],
  [
    'below a comment',
    '{\n      "name": "a",   // why it is there\n      "mode": "shadow"\n    }',
    '{\n      "name": "a"   // why it is there\n    }',
  ],
  [
    'between others',
    '{\n      "name": "a", // one\n      "mode": "shadow",\n      // above\n      "command":   "x"\n    }',
    '{\n      "name": "a", // one\n      // above\n      "command":   "x"\n    }',
    '{\n      "name": "a", // one\n      // above\n      "command":   "x",\n      "mode": "shadow"\n    }',
  ],
  [
    'beside a comment of its own',
    '{\n      "name": "a",\n      "mode": "shadow" // until May\n    }',
    '{\n      "name": "a"\n      // until May\n    }',
    '{\n      "name": "a",\n      "mode": "shadow"\n      // until May\n    }',
  ],
  ['with Windows line ends', '{\r\n      "name": "a",\r\n      "mode": "shadow"\r\n    }', '{\r\n      "name": "a"\r\n    }'],
];

describe.each(ENTRIES)('the mode of a setting, %s', (_, shadow, enforced, again = shadow) => {
  it('is removed and added again, and nothing else changes', () => {
    expect(withSettingMode(file(shadow), 1, undefined)).toBe(file(enforced));
    expect(withSettingMode(file(enforced), 1, 'shadow')).toBe(file(again));
  });
});

it('replaces another mode', () => {
  expect(withSettingMode(file('{ "mode": "enforce", "name": "a" }'), 1, 'shadow')).toBe(file('{ "mode": "shadow", "name": "a" }'));
});

it('is not changed if it is there twice', () => {
  expect(withSettingMode(file('{ "mode": "shadow", "name": "a", "mode": "shadow" }'), 1, undefined)).toBeUndefined();
});
