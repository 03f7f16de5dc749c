/** Configuration files as people and tools write them, for agents that use JSON with comments. */
export const JSONC_CORPUS: Readonly<Record<string, string>> = {
  'an empty file': '',
  'nothing but a line break': '\n',
  'nothing but white space': '  \n\t\n',
  'a byte order mark alone': '\uFEFF',
  'an empty object': '{}\n',
  'an empty object without a line break at the end': '{}',
  'an empty object with a space in it': '{ }\n',
  'an empty object over two lines': '{\n}\n',
  'an empty object with blank lines': '{\n\n\n}\n',
  'an empty object with a comment': '{ /* nothing yet */ }\n',
  'an empty object with a line comment': '{\n  // nothing yet\n}\n',
  'an empty object with a comment beside the bracket': '{ // nothing yet\n}\n',
  'comments around it': '// mine\n{}\n// the end\n',
  'one line': '{"model":"opus"}',
  'one line with spaces': '{ "model": "opus" }\n',
  'one line with a comment': '{"model":"opus" /* the best */}',
  'one line with a comma at the end': '{"model":"opus", }',
  'two spaces': '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash"]\n  }\n}\n',
  'four spaces': '{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}\n',
  tabs: '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
  'no indentation': '{\n"model": "opus"\n}\n',
  'three spaces and no order': '{\n   "model":"opus",\n "env":{"A":"1"},\n     "x":[1,\n2]}',
  'Windows line ends': '{\r\n  "model": "opus",\r\n  "env": {}\r\n}\r\n',
  'Windows line ends and a byte order mark': '\uFEFF{\r\n  "model": "opus"\r\n}\r\n',
  'mixed line ends': '{\r\n  "model": "opus",\n  "env": {}\r\n}\n',
  'old Macintosh line ends': '{\r  "model": "opus"\r}\r',
  'a comment after the last value': '{\n  "model": "opus" // the best\n}\n',
  'a comment before the comma': '{\n  "a": 1 /* one */,\n  "b": 2 /* two */\n}\n',
  'a commented last line': '{\n  "model": "opus"\n  // "other": 1\n}\n',
  'a comma at the end': '{\n  "model": "opus",\n}\n',
  'a comma and a comment at the end': '{\n  "model": "opus", // the best\n  // "other": 1\n}\n',
  'the closing bracket on the last line': '{\n  "model": "opus" }\n',
  'many line breaks at the end': '{\n  "model": "opus"\n}\n\n\n',
  'strings that look like syntax': '{\n  "a": "} // no comment {",\n  "b\\"c": "/* , */\\\\"\n}\n',
  'text of every kind': '{\n  "ключ": "值 \\u0000 🙂",\n  "&&": "a && b < c"\n}\n',
  'a key that stands twice': '{\n  "a": 1,\n  "hooks": { "X": [] },\n  "a": 2\n}\n',
  'hooks, empty': '{\n  "hooks": {}\n}\n',
  'hooks, empty with a space': '{\n  "hooks": { }\n}\n',
  'hooks, empty over two lines': '{\n  "hooks": {\n  }\n}\n',
  'hooks with a comment alone': '{\n  "hooks": {\n    // none yet\n  }\n}\n',
  'hooks with empty events': '{\n  "hooks": {\n    "PreToolUse": [],\n    "Stop": [ ],\n    "SessionStart": [\n    ]\n  }\n}\n',
  'hooks on one line': '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./guard.sh"}]}]}}',
  'hooks of others': `{
  "hooks": {
    "PreToolUse": [
      // the guard
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "./guard.sh && true", "timeout": 5 }, // keep
        ],
      },
    ],
    "Unknown": "whatever",
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  },
  "model": "opus"
}
`,
  'hooks first, with tabs and Windows line ends':
    '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "hooks": [] }\r\n\t\t]\r\n\t},\r\n\t"model": "opus"\r\n}\r\n',
  'a program with a name like ours':
    '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "/opt/piton-forward", "args": ["x"] }] }]\n  }\n}\n',
};

/** Text that no edit may change, and the word that the error must contain. */
export const BROKEN_JSONC: Readonly<Record<string, { readonly text: string; readonly says: RegExp }>> = {
  'a missing bracket': { text: '{\n  "model": "opus"\n', says: /line 3, column 1/ },
  'a missing comma': { text: '{\n  "a": 1\n  "b": 2\n}\n', says: /line 3, column 3/ },
  'single quotes': { text: "{\n  'a': 1\n}\n", says: /line 2, column 3/ },
  'an open string': { text: '{\n  "a": "x\n}\n', says: /line 2/ },
  'a merge conflict': { text: '{\n<<<<<<< ours\n  "a": 1\n}\n', says: /line 2, column 1/ },
  'a list': { text: '[]\n', says: /object/ },
  'a text': { text: '"hooks"\n', says: /object/ },
  'comments alone': { text: '// nothing\n', says: /line \d+, column \d+/ },
  'hooks that are a list': { text: '{ "hooks": [] }\n', says: /line 1, column 12.*"hooks".*object/ },
  'hooks that are null': { text: '{ "hooks": null }\n', says: /"hooks".*object/ },
};
