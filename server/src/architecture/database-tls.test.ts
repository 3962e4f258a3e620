import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestbed, queryUrl } from '#database/embedded/testbed.ts';
import { createCertificate } from '#testing/certificate.ts';
import { createInstallation } from '../cli/testing/installation.ts';

test('encrypts every connection to PostgreSQL with TLS, and trusts no other authority', { tags: 'full' }, async () => {
  const testbed = await openTestbed();
  const folder = await mkdtemp(join(tmpdir(), 'sightline-tls-'));
  testbed.atEnd(() => rm(folder, { recursive: true, force: true }));
  try {
    const { url, databaseUrl } = await startWithTls(testbed, folder);
    const secured = (authority: string) => `${databaseUrl}?sslmode=verify-full&sslrootcert=${join(folder, authority)}`;
    const installation = await createInstallation({ DATABASE_URL: secured('authority.pem') });
    testbed.atEnd(installation.close);
    await installation.start();
    const connections = await queryUrl(
      url,
      `select a.usename, s.ssl from pg_stat_activity a join pg_stat_ssl s using (pid)
       where a.datname = 'sightline' and a.pid <> pg_backend_pid()`,
    );
    expect(connections.length).toBeGreaterThan(3);
    expect(connections).toEqual(connections.map((row) => ({ ...(row as object), ssl: true })));
    expect((await installation.cli(['doctor'])).code).toBe(0);

    const [other, plain] = await Promise.all(
      [secured('other.pem'), databaseUrl].map((given) => createInstallation({ DATABASE_URL: given })),
    );
    for (const [refused, reason] of [
      [other, /certificate/],
      [plain, /no encryption|pg_hba/],
    ] as const) {
      if (!refused) throw new Error('There is no installation.');
      testbed.atEnd(refused.close);
      await expect(refused.start()).rejects.toThrow(reason);
    }
  } finally {
    await testbed.close();
  }
});

/** Starts a database that accepts remote connections only with TLS. `url` is its socket. */
async function startWithTls(testbed: Awaited<ReturnType<typeof openTestbed>>, folder: string) {
  const certificate = createCertificate();
  await writeFile(join(folder, 'authority.pem'), certificate.cert);
  await writeFile(join(folder, 'other.pem'), createCertificate().cert);
  const [hba, cert, key] = ['pg_hba.conf', 'server.crt', 'server.key'].map((name) => join(testbed.cluster, name));
  if (!hba || !cert || !key) throw new Error('There is no cluster.');
  await writeFile(cert, certificate.cert);
  await writeFile(key, certificate.key, { mode: 0o600 });
  execFileSync('chown', [`--reference=${hba}`, cert, key]);
  const rules = (await readFile(hba, 'utf8')).replace(/^host(\s)/gm, 'hostssl$1');
  await writeFile(hba, rules);
  const { url } = await testbed.start({ settings: { ssl: 'on' } });
  await queryUrl(url, "create role sightline login createrole password 'secret'");
  await queryUrl(url, 'create database sightline owner sightline');
  return { url, databaseUrl: `postgresql://sightline:secret@127.0.0.1:${new URL(url).port}/sightline` };
}
