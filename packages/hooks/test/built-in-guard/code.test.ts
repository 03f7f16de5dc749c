import { describe, expect, test } from 'vitest';
import { createBuiltInGuard } from '../../src/built-in-guard/guard.ts';
import { DISK, PLACES, shell } from './grounds.ts';

const guard = createBuiltInGuard(PLACES, DISK);

const MAY_WRITE = [
  `python3 -c "import shutil; shutil.rmtree('.piton')"`,
  "python3 - <<'EOF'\nopen('.piton/settings.json','w')\nEOF",
  `node -e "fs.rmSync('.piton',{recursive:true})"`,
  `python3 -c "open('.piton/settings.json', 'w')"`,
  `python3 -c "open('.piton/settings.json', '%c' % 119)"`,
  `python3 -c "from os import remove as print; print('.piton/settings.json')"`,
  `python3 -c "import json; json.dump({}, open('.piton/settings.json'))"`,
  `python3 -c "from pathlib import Path; Path('.piton/settings.json').write_text('')"`,
  `python3 -c "print(f'{__import__(chr(111)+chr(115)).remove(1)}', open('.piton/x'))"`,
  `python3 -c "print('x', file=open('.piton/x'))"`,
  `node -e "require('fs').writeFileSync('.agent/settings.json', '')"`,
  `node -e "require('fs')['rmSync']('.piton')"`,
  `node -e "['.piton'].map(require('fs')['rmSync'])"`,
  `node -e "const r = require('fs').rmSync; r('.piton')"`,
  `node -e "require('child_process').execSync('rm -rf .piton')"`,
  `node -e "require('./.piton/x.js')"`,
  "python3 - <<'EOF'\nremove = 1\nfrom os import remove\nimport json\njson.load(open('.piton/x'),\nobject_hook=remove)\nEOF",
  "python3 - <<'EOF'\nhelp = 1\nimport help\nprint(open('.piton/x'))\nEOF",
  `python3 -c "import os; p = open; p('.piton/x', 'w')"`,
  `python3 -c "import os; os.open('.piton/x', 577)"`,
  `node -e "require('fs').readFileSync('.piton/x', JSON.parse('[]'))"`,
  `node -e "const log = require('fs'); log.rmSync('.piton')"`,
  `ruby -e "puts File.read('.piton/settings.json')"`,
];

const ONLY_READS = [
  `python3 -c "print(open('.piton/settings.json').read())"`,
  `python3 -c "import json; print(json.load(open('.piton/settings.json'))['hooks'])"`,
  `python3 -c "import json,sys; d = json.load(open('.agent/settings.json', 'r')); print(json.dumps(d, indent=2))"`,
  `python3 -c "from pathlib import Path; print(Path('.piton/settings.json').read_text())"`,
  "python3 - <<'EOF'\nimport json\nwith open('.piton/settings.json', encoding='utf-8') as f:\n    d = json.load(f)\nfor h in d.get('hooks', []):\n    print(h['name'], len(h))\nEOF",
  `node -e "console.log(require('fs').readFileSync('.agent/settings.json', 'utf8'))"`,
  `node -e "const s = JSON.parse(require('node:fs').readFileSync('.piton/settings.json', 'utf8')); console.log(s.hooks.length)"`,
  `node -p "require('./.agent/settings.json').hooks"`,
  'python3 -m json.tool .piton/settings.json',
];

describe('code that names something of ours and may write is seen', () => {
  test.each(MAY_WRITE)('%s', (command) => {
    expect(guard(shell(command))).toMatchObject({ kind: 'place' });
  });
});

describe('code that plainly only reads is left alone', () => {
  test.each(ONLY_READS)('%s', (command) => {
    expect(guard(shell(command))).toBeUndefined();
  });
});
