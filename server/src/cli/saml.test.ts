import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getSamlLogin, samlConnectionOf } from '@sightline/contract/identity/saml.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { createSigningKey } from '@sightline/sandbox/saml/certificate.ts';
import { metadataXml } from '@sightline/sandbox/saml/response.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from './testing/in-process.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  [server, folder] = await Promise.all([startTestServer(), mkdtemp(join(tmpdir(), 'saml-'))]);
  const xml = metadataXml('https://idp.example/metadata', 'https://idp.example/sso', await createSigningKey('idp'));
  await writeFile(join(folder, 'idp.xml'), xml);
  await writeFile(join(folder, 'bad.xml'), '<!DOCTYPE x><x/>');
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test('connects a SAML login by a file, shows it, and disconnects it', async () => {
  const { id, owner } = await server.make.organization();
  const call = server.as(owner, id);
  const { ask, cli } = operatorCliOf(server);
  const connect = (...more: string[]) => ['saml', 'connect', id, '--name', 'Corp', ...more];
  const file = ['--metadata-file', join(folder, 'idp.xml')];
  expect((await cli(connect(...file))).complaint).toContain('Verify a domain');
  await ask('org', 'verify-domain', id, 'corp.example');
  expect((await cli(connect())).complaint).toContain('is required for a new connection');
  expect((await cli(connect(...file, '--metadata-url', 'https://idp.example'))).complaint).toContain('excludes');
  expect((await cli(connect('--metadata-file', join(folder, 'bad.xml')))).complaint).toContain('document type');
  expect((await cli(['saml', 'status', id])).code).not.toBe(0);
  await ask(...connect(...file, '--groups', 'groups'));
  expect((await call(getSamlLogin, {})).login).toMatchObject({
    connection: samlConnectionOf(id),
    entityId: 'https://idp.example/metadata',
    groupsAttribute: 'groups',
    startsAtProvider: false,
  });
  const shown = await cli(['saml', 'status', id]);
  expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/Certificate: ([0-9A-F]{2}:){31}/) });
  expect(shown.out).toContain('Last sign-in: none yet.');
  await ask('saml', 'disconnect', id);
  expect((await call(getSamlLogin, {})).login).toBeNull();
  const { entries } = await call(listAudit, {});
  expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['saml.connected', 'saml.disconnected']));
});
