import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  reinstateMember,
} from '@sightline/contract/organization/members.ts';
import { leaveOrganization } from '@sightline/contract/organization/organizations.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { joinMember } from './commands.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('records each membership change in the timeline once, with its actor and its ledger proof', async () => {
  const { id, owner } = await server.make.organization();
  const ada = await server.make.account('Ada Byron');
  await server.services.database.withOrg(id, async (tx) => {
    const account = { accountId: ada.id, email: ada.email, requestId: newId(), address: undefined };
    // Joining again changes nothing.
    for (const _ of [1, 2]) await joinMember(server.services, tx, { account, orgId: id, roleId: 'rol_contributor' });
  });
  const grace = await server.make.member(id, 'rol_contributor');
  const call = server.as(owner, id);
  const params = { userId: ada.id };
  await call(changeMemberRole, { params, body: { oldRole: 'rol_contributor', newRole: 'rol_reviewer' } });
  await call(deactivateMember, { params });
  await call(reinstateMember, { params });
  await call(deleteMember, { params });
  await server.as(grace, id)(leaveOrganization, {});
  const { events } = await call(queryEvents, { body: { query: 'kind:member' } });
  const sentences = events.map(({ summary: { phrase, parameters } }) =>
    phrase.replace(/\{(\d)\}/g, (_, place: string) => parameters[Number(place)]?.display ?? ''),
  );
  expect(sentences.toReversed()).toEqual([
    `${ada.email} joined as Code Contributor`,
    `${owner.email} changed the role of Ada Byron from Code Contributor to Digest Reviewer`,
    `${owner.email} deactivated Ada Byron`,
    `${owner.email} reinstated Ada Byron`,
    `${owner.email} removed Ada Byron`,
    `${grace.email} left the organization`,
  ]);
  const proofs = await server.services.database.withOrg(id, ({ db }) =>
    db.selectFrom('event').select('leaf_hash').where('org_id', '=', id).execute(),
  );
  expect(proofs).toHaveLength(6);
  expect((await call(queryEvents, { body: { query: `kind:member actor:${ada.email}` } })).events).toHaveLength(1);
});
