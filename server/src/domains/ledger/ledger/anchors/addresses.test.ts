import {
  createAnchor,
  deleteAnchor,
  listAnchors,
  publishCheckpoint,
  requestAddressConfirmation,
  updateAnchor,
} from '@sightline/contract/ledger/anchors.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import { costLimits } from '#core/limits.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { firstLinkOf } from '../../../identity/authentication/testing/people.ts';
import { sequenceAndSign } from '../commands.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await startTestServer({ jobs: true, environment: { RATE_LIMITS: '' } });
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  await grow();
});
afterAll(() => server.close());

/** Writes an entry, so that there is something new to sign. */
async function grow(): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  const fact = { org: org.id, kind: 'scan', asOf: at, receivedAt: at, person: null, source: 'test' };
  await server.services.database.withOrg(org.id, (tx) =>
    appendEntries(tx, org.id, [createLedgerEntry({ id: newId(), ...fact, subject: {}, personal: {} }, undefined)]),
  );
  await sequenceAndSign(server.services.ledger, org.id);
}

const owner = () => server.as(org.owner, org.id);
const addMail = (party: string, ...addresses: string[]) =>
  owner()(createAnchor, { body: { kind: 'mail', party, settings: { addresses } } });
const found = async (id: string) => (await owner()(listAnchors, {})).rows.find((one) => one.id === id);
const mailsTo = (address: string) =>
  server.services.database.global(({ db }) =>
    db.selectFrom('mail').selectAll().where('recipient', '=', address).orderBy('created_at').execute(),
  );
const eventually = (condition: () => Promise<void>) => vi.waitFor(condition, { timeout: 30_000, interval: 200 });
/** The link of the newest of so many mails. */
async function linkTo(address: string, count = 1): Promise<URL> {
  await eventually(async () => expect((await mailsTo(address)).length).toBeGreaterThanOrEqual(count));
  const link = new URL(firstLinkOf((await mailsTo(address)).at(-1)?.body_text ?? ''));
  return new URL(`${link.pathname}${link.search}`, server.url);
}
const post = (link: URL) => fetch(new URL(link.pathname, link), { method: 'POST', body: link.searchParams });
/** Publishes once more, and waits until the owner has that checkpoint. */
async function publish(anchorId: string): Promise<void> {
  const before = (await mailsTo(org.owner.email)).length;
  await grow();
  await owner()(publishCheckpoint, { params: { anchorId } });
  await eventually(async () => expect((await mailsTo(org.owner.email)).length).toBeGreaterThan(before));
  await eventually(async () => expect((await found(anchorId))?.lastAttempt).not.toBeNull());
}

test('an address of a mail anchor receives checkpoints only after its recipient confirmed', async () => {
  const auditor = `auditor.${org.id}@out.example`;
  const { anchor } = await addMail('Mailboxes', auditor);
  expect(anchor.unconfirmed).toEqual([auditor]);
  const link = await linkTo(auditor);
  await publish(anchor.id);
  expect((await mailsTo(auditor)).map(({ subject }) => subject)).toEqual([
    'Confirm that you want to receive ledger checkpoints',
  ]);

  // A scanner of mails opens links: that confirms nothing.
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Confirm address')]);
  expect((await found(anchor.id))?.unconfirmed).toEqual([auditor]);
  expect((await post(link)).status).toBe(200);
  expect((await found(anchor.id))?.unconfirmed).toEqual([]);
  expect([(await post(link)).status, (await fetch(link)).status]).toEqual([410, 410]);
  await publish(anchor.id);
  await eventually(async () => expect((await mailsTo(auditor)).at(-1)?.subject).toMatch(/^Checkpoint/));
  expect(await refusalOf(owner()(requestAddressConfirmation, resend(anchor.id, auditor)))).toMatchObject({
    status: 404,
  });
}, 120_000);

const resend = (anchorId: string, address: string) => ({ params: { anchorId }, body: { address } });

test('of two confirmation links only the newer works, for a week', async () => {
  const auditor = `twice.${org.id}@out.example`;
  const { anchor } = await addMail('Mailboxes', auditor.toUpperCase());
  const first = await linkTo(auditor);
  await owner()(requestAddressConfirmation, resend(anchor.id, auditor));
  const second = await linkTo(auditor, 2);
  expect((await post(first)).status).toBe(410);
  const age = (days: number) =>
    server.services.database.withOrg(org.id, ({ db }) =>
      db
        .updateTable('anchor_address')
        .set({ requested_at: new Date(Date.now() - days * 86_400_000) })
        .execute(),
    );
  await age(8);
  expect((await post(second)).status).toBe(410);
  await age(6);
  expect((await post(second)).status).toBe(200);
});

test('asks again for an address that was removed and named again', async () => {
  const auditor = `again.${org.id}@out.example`;
  const { anchor } = await addMail('Mailboxes', auditor);
  await post(await linkTo(auditor));
  const other = await addMail('More mailboxes', auditor);
  expect(other.anchor.unconfirmed).toEqual([]);
  await owner()(deleteAnchor, { params: { anchorId: anchor.id } });
  expect((await found(other.anchor.id))?.unconfirmed).toEqual([]);
  await owner()(deleteAnchor, { params: { anchorId: other.anchor.id } });
  expect((await addMail('Mailboxes', auditor)).anchor.unconfirmed).toEqual([auditor]);
});

test('limits checkpoints published on demand, whichever call asks for them', async () => {
  const { anchor } = await addMail('Mailboxes');
  const params = { anchorId: anchor.id };
  const { most } = costLimits.checkpoint;
  for (let count = 1; count < most; count += 1) await owner()(publishCheckpoint, { params });
  expect(await refusalOf(owner()(publishCheckpoint, { params }))).toEqual({ status: 429, code: 'rate_limited' });
  await owner()(updateAnchor, { params, body: { enabled: false } });
  expect(await refusalOf(owner()(updateAnchor, { params, body: { enabled: true } }))).toMatchObject({ status: 429 });
  expect(await refusalOf(addMail('Another'))).toMatchObject({ status: 429 });
  expect((await owner()(listAnchors, {})).total).toBe(1);
});

test('limits requests for confirmation per organization', async () => {
  const auditor = `limit.${org.id}@out.example`;
  const { anchor } = await addMail('Mailboxes', auditor);
  for (let count = 1; count < costLimits.confirmation.most; count += 1)
    await owner()(requestAddressConfirmation, resend(anchor.id, auditor));
  expect(await refusalOf(owner()(requestAddressConfirmation, resend(anchor.id, auditor)))).toMatchObject({
    status: 429,
  });
});
