import { listAccessKeys } from '@sightline/contract/identity/access-keys.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { exportMembers, listMembers } from '@sightline/contract/organization/members.ts';
import { exportRepositories } from '@sightline/contract/sources/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization('Acme');
});
afterAll(() => server.close());

/** Lists of organizations without an export, with the reason. */
const withoutExport: Readonly<Record<string, string>> = {
  '/v2/agent-sessions/:sessionId/records': 'records of one session, which are events of Explore',
  '/v2/chat/channels/:channelId/messages': 'a log for troubleshooting',
  '/v2/controls/:id/runs': 'evaluations of one control, whose items are exported',
  '/v2/directory/groups': 'options of a form',
  '/v2/evidence-destinations/:destinationId/deliveries': 'a log for troubleshooting',
  '/v2/ledger/anchors': 'a few settings',
  '/v2/ledger/anchors/:anchorId/attempts': 'a log for troubleshooting',
  '/v2/ledger/receipts': 'receipts are files',
  '/v2/outgoing-webhooks/:webhookId/deliveries': 'a log for troubleshooting',
  '/v2/tools/:toolId/detections': 'details of one tool of the exported inventory',
  '/v2/tools/:toolId/people': 'details of one tool of the exported inventory',
  '/v2/tools/:toolId/projects': 'details of one tool of the exported inventory',
  '/v2/user/pull-requests': 'a panel of Home',
};

test('exports every paged list of an organization, apart from those with a reason', () => {
  const paths = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  const lists = endpoints.filter(({ scope, method, paged }) => scope === 'organization' && method === 'GET' && paged);
  const missing = lists.filter(({ path }) => !paths.has(`GET ${path}/export`)).map(({ path }) => path);
  expect(missing.toSorted()).toEqual(Object.keys(withoutExport).toSorted());
});

async function linesOf(account: TestAccount, address: string): Promise<string[]> {
  const token = await server.token(account, org.id);
  const answer = await fetch(`${server.url}/api${address}`, { headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const lines = (await answer.text()).trimEnd().split('\r\n');
  expect(lines).toHaveLength(Number(answer.headers.get('x-total-count')) + 1);
  return lines;
}

test('exports all pages of a list with its filters, and records it', async () => {
  const created = Array.from({ length: 230 }, (_, number) => `Key ${String(number).padStart(3, '0')}`);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('access_key')
      .values(
        created.map((name) => ({
          org_id: org.id,
          id: newId(),
          name,
          use: 'telemetry',
          hash: Buffer.from(name),
          key_end: 'abcd',
          created_by: org.owner.id,
        })),
      )
      .execute(),
  );
  const [header, ...lines] = await linesOf(org.owner, `${listAccessKeys.path}/export?sort=name-asc&search=Key`);
  expect(header).toContain('"name","use","repository"');
  expect(lines.map((line) => /"(Key \d+)"/.exec(line)?.[1])).toEqual(created);
  const { entries } = await server.as(org.owner, org.id)(listAudit, { query: { action: ['list.exported'] } });
  expect(entries.map(({ sentence }) => sentence.map(({ text }) => text).join(''))).toEqual([
    'exported a list: Access keys, 230 rows in all',
  ]);
});

test('exports only the rows that the member sees in the list', async () => {
  const contributor = await server.make.member(org.id, 'rol_contributor');
  await createTestRepository(server, org, 'ledger');
  const owners = await linesOf(org.owner, exportRepositories.path);
  expect(owners[1]).toContain('"github","acme/ledger","main"');
  expect(await linesOf(contributor, exportRepositories.path)).toHaveLength(1);
});

test('exports members with their roles in words', async () => {
  const [, ...lines] = await linesOf(org.owner, `${exportMembers.path}?role=rol_owner`);
  const { rows } = await server.as(org.owner, org.id)(listMembers, { query: { role: ['rol_owner'] } });
  expect(lines).toHaveLength(rows.length);
  expect(lines[0]).toContain('"Account Owner","active"');
});
