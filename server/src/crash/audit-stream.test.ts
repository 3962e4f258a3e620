import { randomUUID } from 'node:crypto';
import { getOrganization, updateOrganization } from '@sightline/contract/organization/organizations.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCertificate } from '#testing/certificate.ts';
import { createTestDatabase } from '#testing/databases.ts';
import {
  type SyslogReceiver,
  startSyslogReceiver,
} from '../domains/organization/audit-streams/testing/syslog-receiver.ts';
import { type CrashScene, createScene } from './testing/scene.ts';

const changes = 60;
const certificate = createCertificate();
let receiver: SyslogReceiver;
let scene: CrashScene;
let owner: pg.Client;

beforeAll(async () => {
  receiver = await startSyslogReceiver(certificate);
  const databaseUrl = await createTestDatabase();
  scene = await createScene({ DATABASE_URL: databaseUrl });
  await scene.installation.ask('outbound', 'allow', '127.0.0.1', '--purpose', 'audit-stream', '--all');
  owner = new pg.Client({ connectionString: await scene.installation.databaseUrl() });
  await owner.connect();
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await scene?.installation.close();
  await receiver?.close();
});

interface Event {
  metadata: { uid: string; sequence: number; event_code: string };
}
const received = (): Event[] => receiver.messages.map((message) => JSON.parse(message.slice(message.indexOf('{'))));

test('loses no audit entry and keeps their order when the server is killed during delivery', {
  tags: 'full',
  timeout: 180_000,
}, async () => {
  const settings = { host: '127.0.0.1', port: receiver.port, certificates: certificate.cert };
  await owner.query(
    `insert into audit_stream (org_id, id, kind, name, settings, epoch, leaf_index, enabled, created_by)
     values ($1, $2, 'syslog', 'SIEM', $3, 0, -1, false, $2)`,
    [scene.orgId, randomUUID(), settings],
  );
  const { displayName } = await scene.call(getOrganization, {});
  for (let number = 0; number < changes; number += 1) {
    await scene.call(updateOrganization, { body: { displayName: `${displayName} ${number}`, description: '' } });
  }
  const recorded = async () =>
    (
      await owner.query<{ id: string }>(
        `select e.entry_id as id from ledger_entry e where e.org_id = $1 and e.kind like 'audit.%' order by epoch, leaf_index`,
        [scene.orgId],
      )
    ).rows.map(({ id }) => id);
  await vi.waitFor(async () => expect((await recorded()).length).toBeGreaterThan(changes), { timeout: 30_000 });

  // Killed twice in the middle of a batch, the second time as soon as it continues.
  for (const running of [scene.server, undefined]) {
    const server = running ?? (await scene.installation.start());
    const killed = new Promise<void>((resolve) => {
      receiver.onMessage(receiver.messages.length + 20, () => void server.end('SIGKILL').then(() => resolve()));
    });
    await owner.query('update audit_stream set enabled = true, next_at = now()');
    await killed;
  }
  await scene.installation.start();
  await owner.query('update audit_stream set next_at = now()');
  const all = await recorded();
  await vi.waitFor(() => expect(new Set(received().map(({ metadata }) => metadata.uid)).size).toBe(all.length), {
    timeout: 120_000,
    interval: 200,
  });
  const ids = received().map(({ metadata }) => metadata.uid);
  // In order without duplicates, and each repetition begins at the cursor.
  expect([...new Set(ids)]).toEqual(all);
  const { rows } = await owner.query<{ failure: string | null }>('select failure from audit_stream');
  expect(rows).toEqual([{ failure: null }]);
});
