import { exportAudit, listAudit } from '@sightline/contract/organization/audit.ts';
import {
  createAuditStream,
  deleteAuditStream,
  getAuditStream,
  listAuditStreams,
  rotateAuditStreamSecret,
  testAuditStream,
  updateAuditStream,
} from '@sightline/contract/organization/audit-streams.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, shareTestServer, type TestServer } from '#testing/server.ts';
import { testStream } from './commands.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

// A public address that is never called here.
const url = 'https://8.8.8.8/audit';
const s3 = { url, region: 'eu-central-1', bucket: 'audit-log', prefix: '', accessKeyId: 'AKID' };

async function scene() {
  const org = await server.make.organization();
  return { org, ask: server.as(org.owner, org.id) };
}

test('lists, changes and deletes destinations, with their audit entries naming the host alone', async () => {
  const { org, ask } = await scene();
  const body = { kind: 's3', name: 'Archive', settings: s3, secret: 'a secret access key' } as const;
  const { stream, secret } = await ask(createAuditStream, { body });
  expect(secret).toBeNull();
  expect(stream).toMatchObject({ kind: 's3', settings: s3, state: 'active', lastDeliveredAt: null, failure: null });
  const params = { streamId: stream.id };
  expect(await ask(getAuditStream, { params })).toMatchObject({ id: stream.id, createdBy: { name: 'Olga Owner' } });
  const changed = await ask(updateAuditStream, { params, body: { name: 'Data lake', enabled: false } });
  expect(changed).toMatchObject({ name: 'Data lake', state: 'paused', settings: s3 });
  expect(await ask(updateAuditStream, { params, body: { name: 'Data lake' } })).toEqual(changed);
  expect((await ask(listAuditStreams, { query: { search: 'lake' } })).total).toBe(1);
  expect((await ask(listAuditStreams, { query: { search: 'archive' } })).total).toBe(0);
  await ask(deleteAuditStream, { params });
  expect(await refusalOf(ask(getAuditStream, { params }))).toEqual({ status: 404, code: 'not_found' });
  const { entries } = await ask(listAudit, {});
  expect(entries.map(({ action, subject }) => [action, subject.name])).toEqual(
    ['deleted', 'updated', 'created'].map((what) => [`audit_stream.${what}`, '8.8.8.8']),
  );
  const log = await ask(exportAudit, { query: { format: 'ndjson' } });
  expect(log).not.toMatch(/AKID|Archive|secret access key|eu-central/);
  expect(await server.services.database.withOrg(org.id, ({ db }) => db.selectFrom('audit_stream').execute())).toEqual(
    [],
  );
});

test('rejects addresses inside, when they are entered and when they are changed', async () => {
  const { ask } = await scene();
  const refused = { status: 400, code: 'validation_failed' };
  const create = (body: object) => refusalOf(ask(createAuditStream, { body: { name: 'Inside', ...body } as never }));
  for (const host of ['10.0.0.8', '127.0.0.1', '::1', '2130706433', '0x7f.1', '169.254.169.254']) {
    expect([host, await create({ kind: 'syslog', settings: { host } })]).toEqual([host, refused]);
  }
  for (const inside of ['https://10.0.0.8/', 'http://8.8.8.8/', 'https://user:word@8.8.8.8/', 'ftp://8.8.8.8/']) {
    expect([inside, await create({ kind: 'https', settings: { url: inside } })]).toEqual([inside, refused]);
    expect([inside, await create({ kind: 's3', secret: 'x', settings: { ...s3, url: inside } })]).toEqual([
      inside,
      refused,
    ]);
  }
  const { stream } = await ask(createAuditStream, { body: { kind: 'https', name: 'Outside', settings: { url } } });
  const params = { streamId: stream.id };
  const change = { settings: { url: 'https://10.0.0.8/' } };
  expect(await refusalOf(ask(updateAuditStream, { params, body: change }))).toEqual(refused);
});

test.each<[string, object]>([
  ['a bucket that is a path', { kind: 's3', secret: 'x', settings: { ...s3, bucket: '../x' } }],
  ['a prefix that leaves its folder', { kind: 's3', secret: 'x', settings: { ...s3, prefix: '../' } }],
  ['S3 without its secret', { kind: 's3', settings: s3 }],
  ['a secret for HTTPS', { kind: 'https', settings: { url }, secret: 'mine' }],
  ['certificates that are none', { kind: 'syslog', settings: { host: '8.8.8.8', certificates: 'none' } }],
  ['a host that is a URL', { kind: 'syslog', settings: { host: 'https://8.8.8.8' } }],
  ['an unknown kind', { kind: 'kafka', settings: {} }],
])('rejects %s', async (_, body) => {
  const { ask } = await scene();
  const answer = refusalOf(ask(createAuditStream, { body: { name: 'Wrong', ...body } as never }));
  expect(await answer).toEqual({ status: 400, code: 'validation_failed' });
});

test('needs the secret access key again for another host', async () => {
  const { ask } = await scene();
  const body = { kind: 's3', name: 'Archive', settings: s3, secret: 'a secret access key' } as const;
  const { stream } = await ask(createAuditStream, { body });
  const params = { streamId: stream.id };
  const elsewhere = { ...s3, url: 'https://8.8.4.4' };
  expect(await refusalOf(ask(updateAuditStream, { params, body: { settings: elsewhere } }))).toMatchObject({
    status: 400,
  });
  const moved = await ask(updateAuditStream, { params, body: { settings: elsewhere, secret: 'another' } });
  expect(moved.settings).toEqual(elsewhere);
  expect(await refusalOf(ask(rotateAuditStreamSecret, { params }))).toEqual({ status: 409, code: 'conflict' });
});

test('rejects a name that is taken, and an eleventh destination', async () => {
  const { ask } = await scene();
  const create = (name: string) =>
    ask(createAuditStream, { body: { kind: 'https', name, settings: { url } } }).then(({ stream }) => stream.id);
  const first = await create('0');
  expect(await refusalOf(create('0'))).toEqual({ status: 409, code: 'conflict' });
  for (let number = 1; number < 10; number += 1) await create(String(number));
  expect(await refusalOf(create('one too many'))).toEqual({ status: 409, code: 'conflict' });
  const rename = ask(updateAuditStream, { params: { streamId: first }, body: { name: '1' } });
  expect(await refusalOf(rename)).toEqual({ status: 409, code: 'conflict' });
});

test('requires a recent proof of who it is for every change', async () => {
  const { org, ask } = await scene();
  const body = { kind: 'https', name: 'SIEM', settings: { url } } as const;
  const params = { streamId: (await ask(createAuditStream, { body })).stream.id };
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account_session')
      .set({ authenticated_at: new Date(0) })
      .where('id', '=', org.owner.id)
      .execute(),
  );
  const stale = { status: 403, code: 'reauthentication_required' };
  expect(await refusalOf(ask(createAuditStream, { body: { ...body, name: 'Another' } }))).toEqual(stale);
  expect(await refusalOf(ask(updateAuditStream, { params, body: { enabled: false } }))).toEqual(stale);
  expect(await refusalOf(ask(rotateAuditStreamSecret, { params }))).toEqual(stale);
  expect(await refusalOf(ask(deleteAuditStream, { params }))).toEqual(stale);
  expect((await ask(getAuditStream, { params })).state).toBe('active');
});

test('tests a destination for present owners only', async () => {
  const { org, ask } = await scene();
  const body = { kind: 'https', name: 'SIEM', settings: { url } } as const;
  const params = { streamId: (await ask(createAuditStream, { body })).stream.id };
  const auditor = await server.make.member(org.id, 'rol_auditor');
  const asAuditor = server.as(auditor, org.id);
  expect(await refusalOf(asAuditor(testAuditStream, { params }))).toEqual({ status: 403, code: 'forbidden' });
  expect(await refusalOf(asAuditor(listAuditStreams, {}))).toEqual({ status: 403, code: 'forbidden' });
  // As a request that began before the role was taken away.
  const actor = {
    accountId: auditor.id,
    email: auditor.email,
    requestId: 'r',
    address: undefined,
    orgId: org.id,
  } as const;
  const late = testStream(server.services, { ...actor, roleId: 'rol_owner' } as never, params.streamId);
  await expect(late).rejects.toMatchObject({ code: 'forbidden' });
});
