/** The languages of the demo repositories. */
export type Language = 'typescript' | 'python' | 'go' | 'java';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

type Syntax = {
  sourceOf: (noun: string) => string;
  testOf: (noun: string) => string;
  start: (noun: string) => string[];
  functionOf: (verb: string, noun: string) => string[];
  testCaseOf: (verb: string, noun: string) => string[];
  /** The manifest with its dependencies, whose versions change. */
  manifest: { path: string; lines: string[]; dependency: string };
};

const typescript: Syntax = {
  sourceOf: (noun) => `src/${noun}.ts`,
  testOf: (noun) => `test/${noun}.test.ts`,
  start: (noun) => [
    "import { store } from './store.ts';",
    '',
    `export type ${capitalized(noun)} = { id: string; amount: number; text: string; changedAt: string };`,
  ],
  functionOf: (verb, noun) => [
    '',
    `export function ${verb}${capitalized(noun)}(${noun}: ${capitalized(noun)}): ${capitalized(noun)} {`,
    `  if (${noun}.amount < 0) throw new RangeError('The amount of a ${noun} is negative.');`,
    `  const query = \`select * from ${noun} where id = '\${${noun}.id}'\`;`,
    '  store.run(query);',
    `  return { ...${noun}, changedAt: new Date().toISOString() };`,
    '}',
  ],
  testCaseOf: (verb, noun) => [
    '',
    `test('${verb}s a ${noun}', () => {`,
    `  expect(${verb}${capitalized(noun)}(example).id).toBe(example.id);`,
    '});',
  ],
  manifest: {
    path: 'package.json',
    dependency: '    "undici": "7.%.0",',
    lines: [
      '{',
      '  "type": "module",',
      '  "dependencies": {',
      '    "undici": "7.0.0",',
      '    "zod": "4.0.0"',
      '  }',
      '}',
    ],
  },
};

const python: Syntax = {
  sourceOf: (noun) => `app/${noun}.py`,
  testOf: (noun) => `tests/test_${noun}.py`,
  start: (noun) => ['import os', 'import yaml', '', `${noun.toUpperCase()}_LIMIT = 1000`],
  functionOf: (verb, noun) => [
    '',
    '',
    `def ${verb}_${noun}(${noun}, path="${noun}.yml"):`,
    `    """${capitalized(verb)}s one ${noun} and returns it."""`,
    '    with open(path) as file:',
    '        settings = yaml.load(file, Loader=yaml.Loader)',
    `    if len(${noun}) > ${noun.toUpperCase()}_LIMIT:`,
    `        raise ValueError("too many values in a ${noun}")`,
    `    return {**settings, **${noun}}`,
  ],
  testCaseOf: (verb, noun) => [
    '',
    '',
    `def test_${verb}_${noun}():`,
    `    assert ${verb}_${noun}({"id": 1})["id"] == 1`,
  ],
  manifest: { path: 'requirements.txt', dependency: 'requests==2.%.0', lines: ['requests==2.0.0', 'pyyaml==6.0.2'] },
};

const go: Syntax = {
  sourceOf: (noun) => `internal/${noun}/${noun}.go`,
  testOf: (noun) => `internal/${noun}/${noun}_test.go`,
  start: (noun) => [`package ${noun}`, '', 'import (', '\t"crypto/md5"', '\t"fmt"', ')'],
  functionOf: (verb, noun) => [
    '',
    `// ${capitalized(verb)} works on one ${noun} and returns its checksum.`,
    `func ${capitalized(verb)}(id string, amount int64) (string, error) {`,
    '\tif amount < 0 {',
    `\t\treturn "", fmt.Errorf("the amount of ${noun} %s is negative", id)`,
    '\t}',
    '\treturn fmt.Sprintf("%x", md5.Sum([]byte(id))), nil',
    '}',
  ],
  testCaseOf: (verb, noun) => [
    '',
    `func Test${capitalized(verb)}(t *testing.T) {`,
    `\tif _, err := ${capitalized(verb)}("${noun}", -1); err == nil {`,
    '\t\tt.Fatal("accepts a negative amount")',
    '\t}',
    '}',
  ],
  manifest: {
    path: 'go.mod',
    dependency: '\tgolang.org/x/crypto v0.%.0',
    lines: ['module harborline.example/service', '', 'go 1.23', '', 'require (', '\tgolang.org/x/crypto v0.0.0', ')'],
  },
};

const java: Syntax = {
  sourceOf: (noun) => `src/main/java/example/${capitalized(noun)}.java`,
  testOf: (noun) => `src/test/java/example/${capitalized(noun)}Test.java`,
  start: (noun) => [
    'package example;',
    '',
    `/** Works with one ${noun}. */`,
    `final class ${capitalized(noun)} {`,
    '}',
  ],
  functionOf: (verb, noun) => [
    `  static String ${verb}(String id, long amount) {`,
    '    if (amount < 0) {',
    `      throw new IllegalArgumentException("The amount of a ${noun} is negative.");`,
    '    }',
    `    return "${noun}/" + id.toLowerCase() + "/" + amount;`,
    '  }',
  ],
  testCaseOf: (verb, noun) => [
    '  @Test',
    `  void ${verb}s() {`,
    `    assertThrows(IllegalArgumentException.class, () -> ${capitalized(noun)}.${verb}("1", -1));`,
    '  }',
  ],
  manifest: {
    path: 'pom.xml',
    dependency: '  <dependency><artifactId>jackson-core</artifactId><version>2.%.0</version></dependency>',
    lines: [
      '<project>',
      '  <dependency><artifactId>jackson-core</artifactId><version>2.0.0</version></dependency>',
      '</project>',
    ],
  },
};

export const syntaxes: Readonly<Record<Language, Syntax>> = { typescript, python, go, java };

/** Changes the lines of a file; an absent file has none. */
export type FileEdit = { path: string; change: (lines: readonly string[]) => string[] };

/** Adds lines to a source file; before the closing brace of a class. */
const append = (path: string, start: readonly string[], added: readonly string[]): FileEdit => ({
  path,
  change: (lines) => {
    const before = lines.length === 0 ? start : lines;
    const isClass = before.at(-1) === '}' && path.endsWith('.java');
    return isClass ? [...before.slice(0, -1), ...added, '}'] : [...before, ...added];
  },
});

export const addFunction = (language: Language, verb: string, noun: string): FileEdit => {
  const { sourceOf, start, functionOf } = syntaxes[language];
  return append(sourceOf(noun), start(noun), functionOf(verb, noun));
};

export const addTestCase = (language: Language, verb: string, noun: string): FileEdit => {
  const { testOf, testCaseOf } = syntaxes[language];
  return append(testOf(noun), [], testCaseOf(verb, noun));
};

/** Sets the minor version of the dependency in the manifest. */
export const setDependencyVersion = (language: Language, minor: number): FileEdit => {
  const { path, dependency } = syntaxes[language].manifest;
  const [before = ''] = dependency.split('%');
  return {
    path,
    change: (lines) => lines.map((line) => (line.startsWith(before) ? dependency.replace('%', String(minor)) : line)),
  };
};

/** The files of the first commit: manifest, container, pipeline, and settings of editors and agents. */
export const firstFiles = (name: string, language: Language): FileEdit[] => {
  const { manifest } = syntaxes[language];
  const files: Record<string, readonly string[]> = {
    'README.md': [`# ${name}`, '', 'Demo data of Sightline. Nothing here is in use.', '', 'See `config/settings.yml`.'],
    [manifest.path]: manifest.lines,
    Dockerfile: ['FROM node:24-slim', 'WORKDIR /srv', 'COPY . .', 'USER root', 'CMD ["./start"]'],
    'config/settings.yml': ['log: info', 'timeout: 30', 'retries: 3', 'debug: false'],
    '.github/workflows/build.yml': [
      'name: build',
      'on: [push, pull_request]',
      'jobs:',
      '  build:',
      '    runs-on: ubuntu-latest',
      '    steps:',
      '      - uses: actions/checkout@v4',
      '      - uses: github/codeql-action/analyze@v3',
      '      - run: make test',
    ],
    '.vscode/extensions.json': ['{', '  "recommendations": ["dbaeumer.vscode-eslint", "github.copilot"]', '}'],
    'CLAUDE.md': ['Run `make test` before every commit.'],
    'AGENTS.md': ['Read `CLAUDE.md` first.'],
    '.mcp.json': [
      '{',
      '  "mcpServers": {',
      '    "github": {',
      '      "command": "docker",',
      '      "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server:v0.20.1"],',
      '      "env": { "GITHUB_TOKEN": "$GITHUB_TOKEN" }',
      '    },',
      '    "tracker": { "type": "http", "url": "https://mcp.tracker.example/mcp" }',
      '  }',
      '}',
    ],
    '.codex/config.toml': [
      '[mcp_servers.files]',
      'command = "npx"',
      'args = ["-y", "@harborline/files-mcp@0.4.2", "."]',
    ],
    '.mailmap': ['Lena Fischer <lena.fischer@harborline.example> <lena@fischer.example>'],
  };
  return Object.entries(files).map(([path, lines]) => ({ path, change: () => [...lines] }));
};
