import type { ConfigCorpus } from '@piton/testing/conformance';

/** What may stand in a configuration in TOML. */
export const TOML: ConfigCorpus = {
  good: {
    'an empty file': '',
    'a byte order mark alone': '\uFEFF',
    'a line break alone': '\n',
    'one key': 'default_model = "mock"\n',
    'no line break at the end': 'default_model = "mock"',
    'blank lines at the end': 'telemetry = false\n\n\n',
    'Windows line ends': 'telemetry = false\r\n[providers.x]\r\ntype = "openai"\r\n',
    'hooks of others': '[[hooks]]\nevent = "Stop" # mine\ncommand = "say done"\n\n[models.x]\nmodel = "x"\n',
    'hooks of others at the end': '[models.x]\nmodel = "x"\n\n[[hooks]]\nevent = "Stop"\ncommand = """\nsay done\n"""',
    'a comment alone': '# mine\n',
    'a comment at the end': '[tools]\nx = 1\n# [[hooks]]',
    'a program with a name like ours': '[[hooks]]\nevent = "Stop"\ncommand = "/opt/piton-forward x"\n',
    'a long text': 'a = """\n[[hooks]]\ncommand = "no"\n"""\n',
  },
  broken: {
    'a line that is none': { text: 'a = 1\nb\n', says: /line 2, column 1/ },
    'an open string': { text: 'a = "x\n', says: /line 1/ },
    'a merge conflict': { text: 'a = 1\n<<<<<<< ours\n', says: /line 2, column 1/ },
    'hooks in one line': { text: 'hooks = []\n', says: /line 1, column 1.*\[\[hooks\]\]/ },
    'hooks that are a table': { text: 'a = 1\n[hooks]\n', says: /line 2.*\[\[hooks\]\]/ },
  },
};
