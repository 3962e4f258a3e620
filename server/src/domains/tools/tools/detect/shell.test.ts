import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scriptMentions } from './commands.ts';
import { shellCommandsOf } from './shell.ts';

const names = (script: string) => shellCommandsOf(script).map(({ words }) => words[0]);
const tools = (script: string) =>
  scriptMentions({ text: script, lineAt: () => 1 }).map(({ tool, version }) =>
    version === null ? tool.id : `${tool.id} ${version}`,
  );

test.each<[string, string[]]>([
  ['npm ci && npm test; docker build . | tee log', ['npm', 'npm', 'docker', 'tee']],
  ['if npm test; then yarn; else pnpm i; fi', ['npm', 'yarn', 'pnpm', 'fi']],
  ['echo "npm ci" # then npm test', ['echo']],
  ["echo 'docker; trivy'", ['echo']],
  ['A=1 B="x y" npm ci', ['npm']],
  ['x=$(git describe --tags)', ['git']],
  ['echo "now $(git rev-parse HEAD)" `npm -v`', ['git', 'npm', 'echo']],
  ['cat <<EOF\nnpm ci\nEOF\nyarn', ['cat', 'yarn']],
  ["cat <<-'EOF'\n\tnpm ci\n\tEOF\nyarn", ['cat', 'yarn']],
  ['npm \\\n  ci \\\n  --quiet', ['npm']],
  ['for tool in docker trivy; do helm lint; done', ['helm', 'done']],
  ['case $1 in npm) yarn;; docker) pnpm;; esac', ['yarn', 'pnpm', 'esac']],
  ['tools=(npm docker)\nhelm lint', ['helm']],
  ['docker() { podman "$@"; }', ['podman']],
  ['git log > npm 2>&1', ['git']],
  ['(cd app && npm ci)', ['cd', 'npm']],
  [`$${'{{ matrix.command }}'} docker`, ['_'.repeat(21)]],
])('parses the commands of %j as %j', (script, expected) => {
  expect(names(script)).toEqual(expected);
});

test.each<[string, string[]]>([
  ['sudo -E apt-get install -y shellcheck', ['apt', 'shellcheck']],
  ['timeout 5m env CI=1 trivy image app', ['trivy']],
  ['npx --yes @lhci/cli@0.14 autorun', ['npm', 'lighthouse 0.14']],
  ['npx -p renovate renovate-config-validator', ['npm', 'renovate']],
  ['python -m pytest -q', ['python', 'pytest']],
  ['python3 -m pip install ruff==0.6.1 "black>=24"', ['python', 'pip', 'ruff 0.6.1', 'black']],
  ['go install gotest.tools/gotestsum@v1.12.0', ['go', 'gotestsum v1.12.0']],
  ['go run github.com/golangci/golangci-lint/cmd/golangci-lint@v1.60 run', ['go', 'golangci-lint v1.60']],
  ['go run ./cmd/trivy', ['go']],
  ['cargo audit', ['cargo', 'cargo-audit']],
  ['dotnet sonarscanner begin', ['dotnet', 'sonarqube']],
  ['poetry run mypy .', ['poetry', 'mypy']],
  ['bundle exec rubocop', ['bundler', 'rubocop']],
  ['yarn eslint .', ['yarn', 'eslint']],
  ['yarn build', ['yarn']],
  ['bash -c "npm ci && snyk test"', ['npm', 'snyk']],
  ['./gradlew build', ['gradle']],
  ['./docker build', []],
  ['./node_modules/.bin/eslint .', ['eslint']],
  ['scripts/terraform.sh plan', []],
  ['/usr/bin/git status', ['git']],
  ['docker run --rm -v "$PWD:/src" aquasec/trivy:0.55.0 fs /src', ['docker', 'trivy 0.55.0']],
  ['docker run -v /tmp/node:/x acme/node', ['docker']],
  ['terraform.exe plan', ['terraform']],
  ['npx lockfile-lint@4.14.0 --path x', ['npm', 'npm:lockfile-lint 4.14.0']],
  ['npx --yes @acme/release-it@latest', ['npm', 'npm:@acme/release-it']],
  ['npx acme-clean@^1.2 && npx npm@">=10" ci', ['npm', 'npm:acme-clean']],
  ['npx --package=acme-tools acme-run', ['npm', 'npm:acme-tools']],
  ['pnpm dlx license-checker && yarn dlx publint', ['pnpm', 'npm:license-checker', 'yarn', 'npm:publint']],
  ['npm exec -- rm -rf x; npx ./own; npx github:acme/x; npx $TOOL; npx "a b"', ['npm']],
  ['uvx acme-lint==2.1 && pipx run cowsay', ['uv', 'pypi:acme-lint 2.1', 'pipx', 'pypi:cowsay']],
  ['go run github.com/acme/gen/cmd/gen@v1.2.0 x', ['go', 'go:github.com/acme/gen/cmd/gen v1.2.0']],
  ['poetry run own-script', ['poetry']],
  ['own-function x', []],
  ['make deploy docker=yes', ['make']],
  ['echo npm', []],
])('detects in %j the tools %j', (script, expected) => {
  expect(tools(script)).toEqual(expected);
});

test('omits arguments after the subcommand, which may contain secrets', () => {
  const mentions = scriptMentions({ text: 'docker login -u me -p hunter2\nsnyk auth 0000-secret', lineAt: () => 1 });
  expect(mentions.map(({ text }) => text)).toEqual(['docker login', 'snyk auth']);
});

test('parses arbitrary text within bounds', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400, unit: fc.constantFrom(...'a$(){}`"\'\\\n;|&<>#=[] ') }), (script) => {
      expect(Array.isArray(scriptMentions({ text: script, lineAt: () => 1 }))).toBe(true);
    }),
  );
  expect(shellCommandsOf('$('.repeat(100_000)).length).toBeLessThan(5_001);
  expect(shellCommandsOf('"$('.repeat(50_000)).length).toBeLessThan(5_001);
  expect(shellCommandsOf('<<A '.repeat(50_000)).length).toBeLessThan(5_001);
});
