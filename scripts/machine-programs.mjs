import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, mayInstall } from './apt.mjs';

const goModules = '/usr/share/gocode/src';
/** Programs of the machine that tests run: their locations besides PATH, and their Debian packages. */
export const programs = [
  { name: 'PostgreSQL', packages: 'postgresql', at: ['/usr/lib/postgresql'] },
  { name: 'Redis', packages: 'redis-server', at: inPath('redis-server') },
  { name: 'nginx', packages: 'nginx-light', at: [...inPath('nginx'), '/usr/sbin/nginx'] },
  { name: 'Prometheus', packages: 'prometheus', at: inPath('prometheus') },
  { name: 'OpenSSL', packages: 'openssl', at: inPath('openssl') },
  // Go and the modules render the chart if Helm is missing.
  { name: 'Go', packages: 'golang-go', at: inPath('go') },
  { name: 'sprig', packages: 'golang-github-masterminds-sprig-dev', at: [`${goModules}/github.com/Masterminds/sprig`] },
  { name: 'yaml.v3', packages: 'golang-gopkg-yaml.v3-dev', at: [`${goModules}/gopkg.in/yaml.v3`] },
  // Reads ledgers with the libraries of the Go checksum database.
  { name: 'x/mod', packages: 'golang-golang-x-mod-dev', at: [`${goModules}/golang.org/x/mod`] },
];

/** Installs missing programs if this process may. Returns why the tests cannot run, or undefined. */
export async function prepareMachine(required) {
  if (process.platform !== 'linux') return 'it runs on Linux.';
  const missing = () => required.filter(({ at }) => !at.some((path) => existsSync(path)));
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
