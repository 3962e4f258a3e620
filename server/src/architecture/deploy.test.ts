import { execFileSync } from 'node:child_process';
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { environmentVariables, readConfig } from '#config.ts';
import { imagesOf } from '../../../scripts/release/images.ts';

const root = new URL('../../../', import.meta.url);
const text = (path: string) => readFile(new URL(path, root), 'utf8');
const json = async <Shape extends z.ZodType>(path: string, shape: Shape) => shape.parse(JSON.parse(await text(path)));

const ownService = z.object({
  image: z.string().regex(/^\$\{SIGHTLINE_IMAGE:-sightline\}$/),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  environment: z.record(z.string(), z.string()),
});
const compose = z.object({
  services: z.object({
    server: ownService,
    worker: ownService,
    backup: ownService,
  }),
});
const manifest = z.object({
  workspaces: z.array(z.string()).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
});

async function readCompose() {
  return compose.parse(parse(await text('compose.yaml'), { merge: true }));
}

test('uses only known variables and valid values in the compose file', async () => {
  const { server, worker, backup } = (await readCompose()).services;
  const given: Record<string, string> = {
    PUBLIC_URL: 'https://sightline.example.org',
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
    DATABASE_PASSWORD: 'secret',
    POSTGRES_PASSWORD: 'secret',
    SMTP_URL: 'smtps://mail.example.org',
    MAIL_FROM: 'Sightline <sightline@example.org>',
  };
  for (const { environment } of [server, worker, backup]) {
    expect(Object.keys(environment).filter((name) => !(name in environmentVariables))).toEqual([]);
    const filled = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{([A-Z_]+):\?[^}]*\}/g, (_, name: string) => given[name] ?? `no ${name}`),
    ]);
    expect(readConfig(Object.fromEntries(filled))).toMatchObject({ production: true, sandbox: false });
  }
  expect([server.environment.ROLE, worker.environment.ROLE]).toEqual(['api', 'worker']);
});

test('lists the variables that the compose file requires and pins every image by its digest', async () => {
  const required = [...(await text('compose.yaml')).matchAll(/\$\{([A-Z_]+):[?-]/g)].map(([, name]) => name);
  const listed = [...(await text('deploy/compose.env.example')).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual([...new Set(required)].sort());
  const images = imagesOf(await text('compose.yaml'));
  const named = (await text('compose.yaml')).match(/^ +image: .*/gm) ?? [];
  expect(named).toHaveLength(images.length + 1);
  expect(images.map(({ tag }) => tag.replace(/:\d+\.\d+(\.\d+)?-[a-z]+$/, ''))).toEqual(['postgres', 'redis']);
});

test('builds the image with the pinned Node version, every workspace, a non-root user and no secret', async () => {
  const lines = (await text('Dockerfile')).split('\n');
  const { workspaces = [], dependencies = {} } = await json('package.json', manifest);
  const nodeImage = `ARG NODE_IMAGE=node:${dependencies.node}-bookworm-slim@sha256:`;
  expect(lines.filter((line) => line.startsWith(nodeImage))).toEqual([expect.stringMatching(/[0-9a-f]{64}$/)]);
  const bases = lines.filter((line) => line.startsWith('FROM '));
  expect(bases.filter((line) => !/^FROM \$\{NODE_IMAGE\}( AS \w+)?$/.test(line))).toEqual([]);
  for (const name of workspaces) expect(lines).toContain(`COPY ${name}/package.json ${name}/`);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last.findLast((line) => line.startsWith('USER '))).toBe('USER node');
  expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
  const given = last.flatMap((line) => [.../^(?:ENV|ARG) +([A-Z_]+)|^ {4}([A-Z_]+)=/g[Symbol.matchAll](line)]);
  const names = given.map(([, first, further]) => first ?? further ?? '');
  expect(names.filter((name) => !['NODE_ENV', 'DATA_DIR'].includes(name))).toEqual([]);
  const ignored = (await text('.dockerignore')).split('\n');
  for (const entry of ['.git', '.data', '**/*.env', '**/node_modules']) expect(ignored).toContain(entry);
});

test('includes in the image the verification page that the server reads at startup', async () => {
  expect(await text('Dockerfile')).toContain(
    'COPY --from=build /sightline/evidence/verify.html /sightline/evidence/reconcile.html evidence/',
  );
});

test('the systemd units run programs of this checkout, and the timer has a service', async () => {
  const folder = new URL('deploy/systemd/', root);
  const units = await readdir(folder);
  expect(units).toEqual(expect.arrayContaining(['sightline.service', 'sightline-backup.timer']));
  for (const unit of units) {
    const lines = (await text(`deploy/systemd/${unit}`)).split('\n');
    if (unit.endsWith('.timer')) expect(units).toContain(unit.replace('.timer', '.service'));
    const programs = lines.flatMap(
      (line) => /^ExecStart=.*?(server\/(?:src|dist)\/\S+\.m?[tj]s)/.exec(line)?.[1] ?? [],
    );
    expect([unit, programs.length]).toEqual([unit, unit.endsWith('.service') ? 1 : 0]);
    // Bundles are named like their sources.
    for (const program of programs) await access(new URL(program.replace(/dist\/(.*)\.mjs$/, 'src/$1.ts'), root));
    // A unit without it cannot be enabled. The timer starts this service.
    if (unit !== 'sightline-backup.service') expect([unit, lines.includes('[Install]')]).toEqual([unit, true]);
  }
});

test('the command for operators runs with the user, the folder and the environment of the service', async () => {
  const unit = await text('deploy/systemd/sightline.service');
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'command-'));
  await writeFile(join(folder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const argumentsOf = (environment: Record<string, string> = {}) =>
    execFileSync('sh', [new URL('deploy/sightline', root).pathname, 'user', 'create', '--name', 'Ada Byron'], {
      env: { PATH: `${folder}:${process.env.PATH}`, ...environment },
      encoding: 'utf8',
      stdio: 'pipe',
    })
      .trim()
      .split('\n');

  const service = argumentsOf();
  expect(service).toEqual(
    expect.arrayContaining([
      `--uid=${value('User')}`,
      `--working-directory=${value('WorkingDirectory')}`,
      `--property=EnvironmentFile=${value('EnvironmentFile')}`,
    ]),
  );
  const [node, program = '', ...rest] = service.slice(-6);
  expect([node, rest]).toEqual([value('ExecStart').split(' ')[0], ['user', 'create', '--name', 'Ada Byron']]);
  await access(new URL(program, root));

  const rehearsal = argumentsOf({ SIGHTLINE_ENV: '/etc/rehearsal.env', SIGHTLINE_ROOT: '/opt/sightline-0.2.0' });
  expect(rehearsal).toContain('--property=EnvironmentFile=/etc/rehearsal.env');
  expect(rehearsal).toContain('/opt/sightline-0.2.0/node_modules/.bin/node');
  await rm(folder, { recursive: true });
});
