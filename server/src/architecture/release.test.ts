import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VectorTable } from '@sightline/evidence/bundle/testing/write-vectors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAdvisories } from '../../../scripts/release/advisories.ts';
import { createProvenance, signStatement } from '../../../scripts/release/provenance.ts';
import { allComponents, npmPackageNameOf, type Sbom } from '../../../scripts/release/sbom.ts';
import { type Assessment, createVex } from '../../../scripts/release/vex.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const createdAt = new Date('2026-11-26T12:00:00Z');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const advisory = {
  id: 'GHSA-aaaa-bbbb-cccc',
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'paint runs colors',
  packageName: '@shop/paint',
};
const assessment: Assessment = {
  id: advisory.id,
  url: advisory.url,
  packageName: advisory.packageName,
  assessedOn: '2026-11-26',
  state: 'not_affected',
  justification: 'code_not_reachable',
  detail: 'Nothing is painted.',
};
const sbom: Sbom = {
  serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
  version: 1,
  metadata: { timestamp: createdAt.toISOString(), component: { name: 'shop', version: '1.0.0' } },
  components: [
    {
      'bom-ref': 'shop@1|roller@1.0.0',
      name: 'roller',
      version: '1.0.0',
      components: [{ 'bom-ref': 'shop@1|@shop/paint@1.0.0', group: '@shop', name: 'paint', version: '1.0.0' }],
    },
  ],
};
const vexOf = (request: { assessments?: Assessment[]; advisories?: (typeof advisory)[] | undefined }) =>
  createVex({ sboms: [sbom], assessments: [], advisories: [], createdAt, ...request });

test('reads the advisories that the npm registry publishes for packages of the lock file', {
  tags: ['full'],
}, async () => {
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'shop', dependencies: { '@shop/paint': '1.0.0' } }),
  );
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({
      name: 'shop',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'shop', dependencies: { '@shop/paint': '1.0.0' } },
        'node_modules/@shop/paint': { version: '1.0.0', resolved: 'https://registry.example/paint-1.0.0.tgz' },
      },
    }),
  );
  const published = { '@shop/paint': [{ ...advisory, id: 7, severity: 'high', vulnerable_versions: '<2' }] };
  let isRefusing = false;
  const registry = createServer((request, response) => {
    request.resume();
    response.writeHead(isRefusing ? 405 : 200, { 'content-type': 'application/json' });
    if (request.url?.endsWith('/advisories/bulk')) response.end(JSON.stringify(published));
    else
      response.end(
        JSON.stringify({ name: '@shop/paint', versions: { '1.0.0': { name: '@shop/paint', version: '1.0.0' } } }),
      );
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  // npm must not wait for a server in the process that waits for npm.
  const read = async () => {
    const script = `import { findAdvisories } from ${JSON.stringify(new URL('../../../scripts/release/advisories.ts', import.meta.url).href)};
      const npm = (args) => ({ program: 'npm', args });
      console.log(JSON.stringify(findAdvisories({ folder: ${JSON.stringify(folder)}, npm, env: process.env })));`;
    const env = { ...process.env, npm_config_registry: address, npm_config_cache: join(folder, 'cache') };
    return new Promise<string>((resolve) =>
      execFile(process.execPath, ['--input-type=module', '--eval', script], { env }, (_, output, problem) =>
        resolve(output + problem),
      ),
    );
  };
  try {
    expect(JSON.parse(await read())).toEqual([advisory]);
    isRefusing = true;
    expect(await read()).toContain('did not answer which advisories there are');
  } finally {
    registry.close();
  }
});

test('fails for a registry response that is not an audit report', () => {
  const npm = () => ({ program: process.execPath, args: ['-e', 'console.log("<html>")'] });
  expect(() => findAdvisories({ folder, npm, env: process.env })).toThrow('did not answer');
});

test('links an assessment to each affected component', () => {
  expect(vexOf({ assessments: [assessment], advisories: [advisory] })).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { properties: [{ name: 'sightline:registry-advisories', value: 'all assessed' }] },
    vulnerabilities: [
      {
        id: advisory.id,
        source: { name: 'GitHub Advisory Database', url: advisory.url },
        analysis: { state: 'not_affected', justification: 'code_not_reachable', detail: 'Nothing is painted.' },
        affects: [{ ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#shop%401%7C%40shop%2Fpaint%401.0.0' }],
      },
    ],
  });
});

test('creates no VEX for an advisory without assessment or an assessment without package', () => {
  expect(() => vexOf({ advisories: [advisory] })).toThrow('@shop/paint: GHSA-aaaa-bbbb-cccc, paint runs colors');
  const elsewhere = { ...assessment, packageName: 'paint' };
  expect(() => vexOf({ assessments: [elsewhere], advisories: [advisory] })).toThrow('@shop/paint');
  expect(() => vexOf({ assessments: [elsewhere] })).toThrow('No package is paint any more');
  const { justification: _, ...unjustified } = assessment;
  expect(() => vexOf({ assessments: [unjustified] })).toThrow('must name a justification');
});

test('states in the VEX that the registry was not queried', () => {
  expect(vexOf({ advisories: undefined })).toMatchObject({
    metadata: { properties: [{ name: 'sightline:registry-advisories', value: 'not requested' }] },
  });
});

test('signs the provenance so that its public key verifies it', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const statement = createProvenance({
    repository: 'https://git.example.org/sightline',
    builder: 'https://ci.example.org',
    commit: 'c'.repeat(40),
    startedAt: createdAt,
    finishedAt: createdAt,
    nodeVersion: 'v24.0.0',
    lockFiles: [],
    subjects: [{ name: 'sightline.tar.gz', sha256: 'a'.repeat(64) }],
  });
  const pem = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const envelope = signStatement(statement, pem) as {
    payload: string;
    payloadType: string;
    signatures: { sig: string }[];
  };
  const payload = Buffer.from(envelope.payload, 'base64');
  expect(JSON.parse(payload.toString())).toMatchObject({
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: [{ name: 'sightline.tar.gz', digest: { sha256: 'a'.repeat(64) } }],
  });
  const signature = Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64');
  const encode = (type: string) =>
    Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
  expect(verify(null, encode('application/vnd.in-toto+json'), publicKey, signature)).toBe(true);
  expect(verify(null, encode('text/plain'), publicKey, signature)).toBe(false);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(() => signStatement(statement, Buffer.from(rsa))).toThrow('must be an Ed25519 key');
});

test('releases a commit with a changelog and a tag of its version only', () => {
  const clone = join(folder, 'untagged');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
  const release = (): string => {
    const options = ['--out', join(folder, 'none'), '--repository', 'https://git.example.org/sightline'];
    const { stderr, stdout } = spawnSync(
      process.execPath,
      [join(clone, 'scripts', 'release.mjs'), ...options, '--builder', 'https://ci.example.org', '--unsigned'],
      { cwd: clone, encoding: 'utf8' },
    );
    return stdout + stderr;
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: clone });
  git('commit', '--quiet', '--allow-empty', '--message', 'Go on after a release');
  expect(release()).toContain('This commit has no tag v0.1.0');
  writeFileSync(join(clone, 'CHANGELOG.md'), '# Changelog\n');
  git('commit', '--quiet', '--all', '--message', 'Empty the changelog');
  expect(release()).toContain('CHANGELOG.md has no section "## 0.1.0"');
});

// Installs packages and builds everything, twice.
test('builds reproducible archives and SBOMs that start without a network', {
  tags: 'full',
  timeout: 900_000,
}, async () => {
  const [first, second] = ['first', 'second'].map((name) => makeRelease(join(folder, name)));
  const reproducible = readdirSync(first as string).filter((file) => !/provenance|SHA256SUMS/.test(file));
  expect(reproducible).toHaveLength(11);
  for (const file of reproducible) {
    const [one, other] = [first, second].map((target) => readFileSync(join(target as string, file)));
    expect(one?.equals(other as Buffer), file).toBe(true);
  }
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first as string });
  const listed = execFileSync('tar', ['-tzf', 'sightline-0.1.0.tar.gz'], { cwd: first as string, encoding: 'utf8' });
  expect(listed).toContain('sightline-0.1.0/web/dist/index.html');
  expect(listed).toContain('sightline-0.1.0/server/src/main.ts');
  for (const [lock, file] of [
    ['package-lock.json', 'sightline-0.1.0.cdx.json'],
    ['extensions/package-lock.json', 'sightline-extensions-0.1.0.cdx.json'],
  ] as const) {
    const named = allComponents(JSON.parse(readFileSync(join(first as string, file), 'utf8')) as Sbom).map(
      (component) => `${npmPackageNameOf(component)}@${component.version}`,
    );
    expect(productionPackages(join(root, lock)).filter((one) => !named.includes(one))).toEqual([]);
  }
  const vectors = 'sightline-0.1.0-format-vectors';
  execFileSync('tar', [
    '--extract',
    '--gzip',
    `--file=${join(first as string, `${vectors}.tar.gz`)}`,
    `--directory=${folder}`,
  ]);
  const at = (file: string) => readFileSync(join(folder, vectors, file));
  const table = JSON.parse(at('vectors.json').toString()) as VectorTable;
  expect(table.bundles.length).toBeGreaterThan(200);
  for (const { file, sha256, previous, disclosureKey } of table.bundles) {
    expect(createHash('sha256').update(at(file)).digest('hex'), file).toBe(sha256);
    for (const other of [previous, disclosureKey]) if (other !== null) expect(at(other).length).toBeGreaterThan(0);
  }
  const archive = `sightline-0.1.0-${process.platform}-${process.arch}.tar.gz`;
  execFileSync('tar', ['--extract', '--gzip', `--file=${join(first as string, archive)}`, `--directory=${folder}`]);
  const { output, statuses } = await startWithoutNetwork(join(folder, 'sightline-0.1.0'));
  expect(statuses).toBe('200 200');
  expect(output).not.toMatch(/installing|building/);
});

/** Starts an unpacked release without a network. Returns its output and two statuses over HTTP. */
async function startWithoutNetwork(unpacked: string): Promise<{ output: string; statuses: string }> {
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const start = 'ip link set lo up && exec node_modules/.bin/node scripts/start.mjs';
  const server = spawn('unshare', [...asRoot, '--net', 'sh', '-c', start], {
    cwd: unpacked,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let output = '';
    await new Promise<void>((resolve, reject) => {
      for (const stream of [server.stdout, server.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
          if (output.includes('Sightline is ready at http://localhost:3000')) resolve();
        });
      server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
    });
    const ask = `Promise.all(['/login', '/api/health/ready'].map((path) => fetch('http://localhost:3000' + path)))
      .then((answers) => console.log(answers.map(({ status }) => status).join(' ')))`;
    const inside = [`--net=/proc/${server.pid}/ns/net`, join(unpacked, 'node_modules', '.bin', 'node'), '-e', ask];
    return { output, statuses: execFileSync('nsenter', inside, { encoding: 'utf8' }).trim() };
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

/** Builds a release from a clone of the current commit, in its own folder. */
function makeRelease(target: string): string {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, `${target}-clone`]);
  const options = ['--out', target, '--repository', 'https://git.example.org/sightline'];
  const more = ['--builder', 'https://ci.example.org', '--unsigned', '--without-audit', '--untagged'];
  const script = join(`${target}-clone`, 'scripts', 'release.mjs');
  execFileSync(process.execPath, [script, ...options, ...more], { cwd: `${target}-clone` });
  return target;
}

function productionPackages(lockFile: string): string[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean; link?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
}
