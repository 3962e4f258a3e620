import { createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import { changeMemberRole } from '@sightline/contract/organization/members.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { mailOwners } from './owner-mails.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const asOwner = (org: TestOrganization) => server.as(org.owner, org.id);

const mailsTo = (email: string) =>
  server.services.database.global(({ db }) =>
    db.selectFrom('mail').select(['subject', 'body_text']).where('recipient', '=', email).orderBy('id').execute(),
  );

test('emails every owner, and only owners, about a security change', async () => {
  const org = await server.make.organization('Quokka');
  const second = await server.make.member(org.id, 'rol_owner');
  const member = await server.make.member(org.id, 'rol_contributor');
  await asOwner(org)(changeMemberRole, {
    params: { userId: member.id },
    body: { oldRole: 'rol_contributor', newRole: 'rol_reviewer' },
  });
  await mailOwners(server.services);
  for (const { email } of [org.owner, second]) {
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(
      `${org.owner.name} changed the role of ${member.name} from Code Contributor to Digest Reviewer · Quokka`,
    );
    expect(mail?.body_text).toMatch(/UTC · from 127\.0\.0\.1\n/);
    expect(mail?.body_text).toContain(`/audit?organization=${org.id}&entry=`);
  }
  expect(await mailsTo(member.email)).toEqual([]);
  await mailOwners(server.services);
  expect(await mailsTo(second.email)).toHaveLength(1);
});

test('emails owners about the invitation of an owner, and of no other role', async () => {
  const org = await server.make.organization('Wombat');
  const invite = (roleID: 'rol_owner' | 'rol_reviewer') =>
    asOwner(org)(inviteMembers, { body: { invite: { emails: [`${roleID}.${org.id}@example.org`], roleID } } });
  await invite('rol_reviewer');
  await mailOwners(server.services);
  expect(await mailsTo(org.owner.email)).toEqual([]);
  await invite('rol_owner');
  await mailOwners(server.services);
  const [mail] = await mailsTo(org.owner.email);
  expect(mail?.subject).toMatch(/^\S+ \S+ invited rol_owner\.\S+ as Account Owner · Wombat$/);
});

test('lists several changes in one email, and resends it if no owner received it', async () => {
  const org = await server.make.organization('Numbat');
  for (const name of ['First', 'Second']) await asOwner(org)(createAccessKey, { body: { name } });
  const { mail } = server.services;
  const { send } = mail;
  const refusing = vi.spyOn(mail, 'send').mockImplementation(async (mailClass, message) => {
    if (message.to === org.owner.email) throw new Error('no route to the mail server');
    await send(mailClass, message);
  });
  await expect(mailOwners(server.services)).rejects.toThrow(/^audit\.mail-owners failed for 1 of/);
  refusing.mockRestore();
  expect(await mailsTo(org.owner.email)).toEqual([]);
  await mailOwners(server.services);
  const [received] = await mailsTo(org.owner.email);
  expect(received?.subject).toBe('2 security changes in Numbat');
  for (const name of ['First', 'Second']) expect(received?.body_text).toContain(`created the access key ${name}`);
});
