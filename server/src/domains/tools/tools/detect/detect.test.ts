import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectionInputOf, detectTools } from './detect.ts';

const detected = (path: string, content: string) =>
  detectTools(path, content).map(
    ({ tool, line, version }) => `${line ?? 0} ${tool.id}${version === null ? '' : ` ${version}`}`,
  );
const workflow = '.github/workflows/ci.yml';

describe('workflows', () => {
  test('report actions of steps, reusable workflows, images, services and commands', () => {
    const content = `
on: push
jobs:
  call:
    uses: acme/shared/.github/workflows/build.yml@main
  build:
    container: ghcr.io/acme/builder:3
    services:
      db: { image: "postgres:16" }
    steps:
      - uses: docker://docker.io/hadolint/hadolint:v2.12.0
      - uses: ./local
      - uses: actions/checkout@8f4b7f84864484a7bf31766abe9204da3cbe65b3 # ratchet:actions/checkout@v4
      - name: folded
        run: >-
          npm
          ci
          && trivy fs .
      - run: "semgrep ci"
      - shell: python
        run: import docker
`;
    expect(detected(workflow, content)).toEqual([
      '0 github-actions',
      '5 action:acme/shared main',
      '7 image:acme/builder 3',
      '9 postgresql 16',
      '11 hadolint v2.12.0',
      '13 action:actions/checkout v4',
      '16 npm',
      '18 trivy',
      '19 semgrep',
    ]);
  });

  test('report steps shared by anchors once, at their definition', () => {
    const content = 'jobs:\n  a:\n    steps: &s\n      - uses: snyk/actions/node@master\n  b:\n    steps: *s\n';
    expect(detected(workflow, content)).toEqual(['0 github-actions', '4 snyk']);
  });

  test('that are invalid YAML are still scanned line by line', () => {
    const content = 'jobs:\n  a: [{\n  - uses: actions/checkout@v4\n  # - uses: acme/old@v1\n  {% if x %}\n';
    expect(detected(workflow, content)).toEqual(['0 github-actions', '3 action:actions/checkout v4']);
  });

  test('of composite actions report the tools of their steps', () => {
    const content = 'runs:\n  using: composite\n  steps:\n    - uses: gitleaks/gitleaks-action@v2\n';
    expect(detected('tools/scan/action.yml', content)).toEqual(['4 gitleaks']);
  });
});

test('do not report the version of an action, orb, task or pipe as the tool version', () => {
  const steps = (step: string) => detected(workflow, `jobs:\n  a:\n    steps:\n      - ${step}\n`)[1];
  expect(steps('uses: aquasecurity/trivy-action@0.28.0')).toBe('4 trivy');
  expect(steps('{ uses: aquasecurity/trivy-action@0.28.0, with: { version: v0.69.1 } }')).toBe('4 trivy v0.69.1');
  expect(steps('{ uses: golangci/golangci-lint-action@v6, with: { version: latest } }')).toBe('4 golangci-lint');
  expect(steps('uses: acme/deploy@v3')).toBe('4 action:acme/deploy v3');
  expect(steps('uses: actions/dependency-review-action@v4')).toBe('4 dependency-review v4');
  const pipe = 'pipelines:\n  default:\n    - step:\n        script:\n          - pipe: snyk/snyk-scan:1.0.1\n';
  expect(detected('bitbucket-pipelines.yml', pipe)[1]).toBe('5 snyk');
});

describe('pipelines', () => {
  test('of GitLab report templates, images and scripts', () => {
    const content = `include:
  - template: Security/Secret-Detection.gitlab-ci.yml
default:
  image: node:20
.base:
  script: &s
    - npm ci
test:
  image: { name: "aquasec/trivy:0.50", entrypoint: [""] }
  script:
    - !reference [.base, script]
    - *s
    - |
      echo docker
      helm lint .
`;
    expect(detected('.gitlab-ci.yml', content)).toEqual([
      '0 gitlab-ci',
      '2 gitleaks',
      '4 nodejs 20',
      '7 npm',
      '9 trivy 0.50',
      '15 helm',
    ]);
  });

  test('of GitLab report the scanners of its own templates', () => {
    const template = (name: string) => detected('.gitlab-ci.yml', `include:\n  - template: ${name}\n`)[1];
    expect(template('Security/SAST.gitlab-ci.yml')).toBe('2 gitlab-sast');
    expect(template('Jobs/SAST.latest.gitlab-ci.yml')).toBe('2 gitlab-sast');
    expect(template('Jobs/SAST-IaC.gitlab-ci.yml')).toBe('2 kics');
    expect(template('Jobs/Dependency-Scanning.gitlab-ci.yml')).toBe('2 gitlab-dependency-scanning');
    expect(template('Jobs/Build.gitlab-ci.yml')).toBe('2 gitlab-ci');
    const component = 'include:\n  - component: $CI_SERVER_FQDN/components/sast/sast@2.0\n';
    expect(detected('.gitlab-ci.yml', component)[1]).toBe('2 gitlab-sast');
  });

  test('of Bitbucket report images, pipes and scripts', () => {
    const content = `image: maven:3.9
pipelines:
  default:
    - step:
        script:
          - mvn -B verify
          - pipe: atlassian/aws-s3-deploy:1.1.0
`;
    expect(detected('bitbucket-pipelines.yml', content)).toEqual([
      ...['0 bitbucket-pipelines', '1 maven 3.9', '6 maven', '7 image:atlassian/aws-s3-deploy 1.1.0'],
    ]);
  });

  test('of CircleCI report orbs, images and steps', () => {
    const content = `version: 2.1
orbs:
  node: circleci/node@5.1
jobs:
  build:
    docker:
      - image: cimg/go:1.22
    steps:
      - run: go test ./...
      - run: { name: Scan, command: snyk test }
`;
    expect(detected('.circleci/config.yml', content)).toEqual([
      '0 circleci',
      '3 nodejs',
      '7 go 1.22',
      '9 go',
      '10 snyk',
    ]);
  });

  test('of Azure report tasks, containers and scripts', () => {
    const content = `pool: { vmImage: ubuntu-latest }
container: python:3.12
steps:
  - task: SonarQubePrepare@6
  - task: Acme@1
  - script: pytest
  - bash: terraform plan
`;
    expect(detected('azure-pipelines.yml', content)).toEqual([
      ...['0 azure-pipelines', '2 python 3.12', '4 sonarqube', '6 pytest', '7 terraform'],
    ]);
  });

  test('of Jenkins report plugin steps, images and commands, and ignore comments', () => {
    const content = `pipeline {
  agent { docker { image 'node:20' } }
  // sh 'yarn'
  stages {
    stage('a') { steps {
      withSonarQubeEnv('x') { sh "mvn verify" }
      sh '''
        npm ci
        docker build .
      '''
      slackSend color: 'good'
      echo 'see https://gradle.org // gradle'
    } }
  }
}`;
    expect(detected('ci/Jenkinsfile.release', content)).toEqual([
      '0 jenkins',
      '2 nodejs 20',
      '6 maven',
      '6 sonarqube',
      '8 npm',
      '9 docker',
      '11 slack',
    ]);
  });

  test.each([
    ['.travis.yml', 'script:\n  - tox\n', ['0 travis-ci', '2 tox']],
    ['appveyor.yml', 'build_script:\n  - cmd: dotnet build\ntest_script: pytest\n', ['0 appveyor', '3 pytest']],
    ['.drone.yml', 'steps:\n- image: golang:1\n  commands: [go test]\n', ['0 drone', '2 go 1', '3 go']],
    ['cloudbuild.yaml', "steps:\n- name: 'gcr.io/cloud-builders/docker'\n", ['0 cloud-build', '2 gcloud']],
    ['.buildkite/pipeline.yml', 'steps:\n  - command: bazel test //...\n', ['0 buildkite', '2 bazel']],
  ])('in %s are parsed', (path, content, expected) => {
    expect(detected(path, content)).toEqual(expected);
  });
});

describe('other files', () => {
  test('a Dockerfile reports its base images but not its own stages', () => {
    const content = `ARG VERSION=20
FROM --platform=$BUILDPLATFORM node:\${VERSION} AS build
FROM build AS again
FROM scratch
FROM \${BASE}
from gcr.io/distroless/static:nonroot
`;
    expect(detected('deploy/Dockerfile.web', content)).toEqual(['0 docker', '2 nodejs 20', '6 distroless nonroot']);
  });

  test('a Dockerfile reports the commands of its steps across line breaks', () => {
    const content = `FROM alpine:3 AS build
# RUN yarn
RUN --mount=type=cache,target=/root/.npm \\
    apk add curl \\
    # npm run what is commented out
    && npm ci \\

    && npx vitest run
RUN ["pip", "install", "ruff==0.6.1"]
RUN <<EOF
terraform fmt
helm lint
EOF
ENTRYPOINT ["node"]
RUN python3 <<'PY'
trivy = 1
PY
LABEL docs="RUN \\
semgrep ci"
COPY package.json .
`;
    expect(detected('Dockerfile', content)).toEqual([
      ...['0 docker', '1 alpine-image 3', '4 apk', '6 npm', '8 npm', '8 vitest', '9 pip', '9 ruff 0.6.1'],
      ...['11 terraform', '12 helm', '15 python'],
    ]);
  });

  test('a package.json reports the commands of its scripts and its package manager', () => {
    const content = JSON.stringify(
      {
        name: 'vite',
        packageManager: 'pnpm@9.12.0+sha512.abc',
        scripts: {
          build: 'tsc -p . && vite build',
          test: 'cross-env CI=1 vitest run',
          start: 'node .',
          name: 'echo npm',
        },
        jest: { preset: 'ts-jest' },
        dependencies: { eslint: '9.0.0' },
      },
      null,
      2,
    );
    expect(detected('web/package.json', content)).toEqual([
      ...['3 pnpm 9.12.0', '5 typescript', '5 vite', '6 vitest', '7 nodejs'],
    ]);
    const own = {
      a: 'standard && mkdir -p x',
      b: './own.sh; own.sh',
      c: 'rimraf dist && cd x',
      d: 'tsc',
      e: '$RUN x',
      f: 'bash x',
      g: 'RUN x',
    };
    expect(detected('package.json', JSON.stringify({ scripts: own }))).toEqual([
      ...['1 npm:standard', '1 npm:rimraf', '1 typescript'],
    ]);
    for (const bad of ['', '[]', '{', 'null', '{"scripts":[1]}', '{"scripts":{"a":1},"packageManager":{}}']) {
      expect(detected('package.json', bad)).toEqual([]);
    }
  });

  test('compose, Dependabot and pre-commit files report the tools they run and manage', () => {
    expect(detected('docker-compose.yml', 'services:\n  db: { image: redis:7 }\n  own: { build: . }\n')).toEqual([
      ...['0 docker-compose', '2 redis 7'],
    ]);
    expect(
      detected('.github/dependabot.yml', 'updates:\n  - package-ecosystem: gomod\n  - package-ecosystem: x\n'),
    ).toEqual([...['0 dependabot', '2 go']]);
    const first =
      'version: 1\nupdate_configs:\n  - package_manager: javascript\n  - package_manager: "ruby:bundler"\n  - package_manager: "go:dep"\n';
    expect(detected('.dependabot/config.yml', first)).toEqual([...['0 dependabot', '3 npm', '4 bundler']]);
    const hooks = 'repos:\n  - repo: https://github.com/gitleaks/gitleaks\n    rev: v8.18.0\n  - repo: local\n';
    expect(detected('.pre-commit-config.yaml', hooks)).toEqual(['0 pre-commit', '2 gitleaks v8.18.0']);
  });

  test('a Procfile reports the commands of its processes', () => {
    const content = '# web: yarn start\nweb: bundle exec puma -C x\nrelease: python manage.py migrate\nnot a process\n';
    expect(detected('Procfile', content)).toEqual([...['0 heroku', '2 bundler', '3 python']]);
    expect(detected('Procfile.dev', 'web: npm start\n')).toEqual(['1 npm']);
  });

  test.each([
    ['.golangci.yml', 'golangci-lint'],
    ['sonar-project.properties', 'sonarqube'],
    ['.github/renovate.json5', 'renovate'],
    ['codecov.yml', 'codecov'],
    ['.snyk', 'snyk'],
    ['.semgrep.yml', 'semgrep'],
    ['.trivyignore', 'trivy'],
    ['.gitleaks.toml', 'gitleaks'],
    ['.checkov.yml', 'checkov'],
    ['.goreleaser.yaml', 'goreleaser'],
    ['.teamcity/settings.kts', 'teamcity'],
    ['AGENTS.md', 'agents-md'],
    ['.claude/commands/fix.md', 'claude-code'],
    ['.github/copilot-instructions.md', 'github-copilot'],
    ['.cursorrules', 'cursor'],
    ['.windsurfrules', 'windsurf'],
    ['.clinerules', 'cline'],
    ['.continue/config.yaml', 'continue'],
    ['.aider.conf.yml', 'aider'],
    ['GEMINI.md', 'gemini-code-assist'],
  ])('%s indicates %s', (path, id) => {
    expect(detected(path, '')).toEqual([`0 ${id}`]);
    expect(detectionInputOf(path)).toBe('name');
  });

  test.each([
    ['.mcp.json', 'mcp'],
    ['.cursor/mcp.json', 'mcp'],
    ['.vscode/mcp.json', 'mcp'],
    ['.claude/settings.json', 'claude-code'],
    ['.codex/config.toml', 'openai-codex'],
    ['.gemini/settings.json', 'gemini-code-assist'],
    ['.github/agents/reviewer.md', 'github-copilot'],
  ])('%s is read and indicates %s', (path, id) => {
    expect(detected(path, '')).toEqual([`0 ${id}`]);
    expect(detectionInputOf(path)).toBe('content');
  });

  test('an agent configuration lists each MCP server by what it runs, and a malformed one itself', () => {
    const content =
      '{\n  "mcpServers": {\n    "hub": { "command": "npx", "args": ["-y", "@acme/server@1.2.0"] },\n    "x": { "command": "./x.sh" }\n  }\n}';
    expect(detected('.mcp.json', content)).toEqual(['0 mcp', '3 mcp:npm:@acme/server 1.2.0', '4 mcp:command:x.sh:x']);
    expect(detectTools('.mcp.json', content)[1]).toMatchObject({
      version: '1.2.0',
      configuration: { agent: 'claude-code', kind: 'mcp', server: { name: 'hub', transport: 'stdio', command: 'npx' } },
    });
    const problemOf = (path: string, text: string | null) => detectTools(path, text)[0]?.configuration?.problem;
    expect(problemOf('.mcp.json', '{')).toBe('malformed');
    expect(problemOf('.mcp.json', '[]')).toBe('malformed');
    expect(problemOf('.mcp.json', '\0')).toBe('malformed');
    expect(problemOf('.mcp.json', null)).toBe('too_large');
    expect(problemOf('.codex/config.toml', '[mcp_servers.a')).toBe('malformed');
    expect(problemOf('.mcp.json', ' '.repeat(300_000))).toBe('too_large');
    expect(problemOf('.mcp.json', '{"mcpServers":'.repeat(5_000))).toBe('malformed');
    expect(problemOf('.mcp.json', '')).toBe(null);
  });

  test.each([
    'src/app.ts',
    'docs/ci.yml',
    'node_modules/x/Dockerfile',
    'test/fixtures/.github/workflows/a.yml',
    'vendor/a/action.yml',
  ])('%s is ignored', (path) => {
    expect(detectionInputOf(path)).toBeUndefined();
    expect(detectTools(path, 'FROM node')).toEqual([]);
  });
});

describe('hostile files', () => {
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${[...'bcdefghij']
    .map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghij'[at]}`).join(', ')}]`)
    .join('\n')}\njobs: { x: { steps: *j } }\nimage: *j\n`;
  const paths = [
    workflow,
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'azure-pipelines.yml',
    '.drone.yml',
    'Jenkinsfile',
    'Dockerfile',
  ];

  test.each([
    ['nothing', ''],
    ['bytes', '\0\u0001\ufffd\0'.repeat(1000)],
    ['a bomb of aliases', bomb],
    ['an alias of itself', 'jobs: &a\n  x: *a\n  <<: *a\nscript: &s [*s]\n'],
    ['depth', '['.repeat(20_000)],
    ['depth of maps', Array.from({ length: 3_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['one long line', `run: ${'npm '.repeat(200_000)}`],
    ['more than is read', `jobs:\n${'  a: b\n'.repeat(300_000)}`],
    ['quotes and comments without end', `sh '''${"sh '".repeat(20_000)} /* ${'//'.repeat(20_000)}`],
    [
      'names of objects',
      'jobs:\n  __proto__: { uses: constructor/x@v1 }\n  toString: { image: valueOf }\nconstructor: { script: [npm ci] }\n',
    ],
  ])('with %s cause no failure', (_, content) => {
    for (const path of paths) expect(detectTools(path, content).length).toBeLessThan(2_001);
  });

  test('with any content still produce a result', () => {
    const pieces = [
      'jobs:',
      '\n',
      '  ',
      '- ',
      'uses: ',
      'a/b@c',
      'run: |',
      '&a ',
      '*a',
      '<<: ',
      '{',
      '}',
      '[',
      '"',
      "'",
      '#',
      'FROM ',
      'sh ',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), fc.constantFrom(...paths), (parts, path) => {
        expect(detectTools(path, parts.join(''))[0]?.line).toBeNull();
      }),
    );
  });
});
