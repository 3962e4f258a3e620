import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall } from './apt.mjs';
import { ensureInstalled, root } from './install.mjs';
import { pinnedEnv } from './npm.mjs';
import { giveUp } from './progress.mjs';

const goModules = '/usr/share/gocode/src';
/** What the walk runs: where each is, beside PATH, and the package of Debian it comes with. */
const programs = [
  { name: 'PostgreSQL', packages: 'postgresql', at: ['/usr/lib/postgresql'] },
  { name: 'Redis', packages: 'redis-server', at: inPath('redis-server') },
  { name: 'nginx', packages: 'nginx-light', at: [...inPath('nginx'), '/usr/sbin/nginx'] },
  { name: 'Prometheus', packages: 'prometheus', at: inPath('prometheus') },
  { name: 'OpenSSL', packages: 'openssl', at: inPath('openssl') },
  // They render the chart where Helm is missing.
  { name: 'Go', packages: 'golang-go', at: inPath('go') },
  { name: 'sprig', packages: 'golang-github-masterminds-sprig-dev', at: [`${goModules}/github.com/Masterminds/sprig`] },
  { name: 'yaml.v3', packages: 'golang-gopkg-yaml.v3-dev', at: [`${goModules}/gopkg.in/yaml.v3`] },
];

/** Two servers and a worker behind nginx, on Debian's PostgreSQL and Redis; skipped with one line where they are missing. */
try {
  const node = await ensureInstalled();
  const reason = await prepare();
  if (reason !== undefined) {
    console.log(`  – the walk through several processes is skipped: ${reason}`);
    process.exit();
  }
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const config = 'vitest.cluster.config.ts';
  const { status } = spawnSync(node, [vitest, 'run', '--config', config, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: pinnedEnv(root, node),
  });
  process.exit(status ?? 1);
} catch (error) {
  giveUp(error);
}

/** Installs what is missing, where we may; answers why there is nothing to be run. */
async function prepare() {
  if (process.platform !== 'linux') return 'it runs on Linux.';
  const missing = () => programs.filter(({ at }) => !at.some((path) => existsSync(path)));
  if (missing().length === 0) return undefined;
  const names = missing().map(({ name }) => name);
  const packages = missing().map((one) => one.packages);
  if (!mayInstall())
    return `install ${names.join(', ')} (on Debian or Ubuntu: sudo apt-get install ${packages.join(' ')}).`;
  try {
    await aptInstall(names.join(', '), packages, `Install ${names.join(', ')} by hand.`);
  } catch (error) {
    return error.message.trim().split('\n').at(-1).trim();
  }
  return missing().length === 0 ? undefined : `${missing()[0].name} was installed, but is not where it is looked for.`;
}

function inPath(program) {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'].map((folder) => join(folder, program));
}
