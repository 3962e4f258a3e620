import {
  type AccessReviewItem,
  decideAccessReviewHostItems,
  decideAccessReviewItems,
  listAccessReviewHostItems,
  listAccessReviewItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import { getAccessReview, listAccessReviews, signAccessReview } from '@sightline/contract/compliance/access-reviews.ts';
import { createPortal, enterPortal } from '@sightline/contract/compliance/auditor-portals.ts';
import { listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import { listControls, runControls } from '@sightline/contract/compliance/control-runs.ts';
import { type Digest, getDigest, listDigests, reviewDigest } from '@sightline/contract/compliance/digests.ts';
import { answerEvidenceRequest, requestEvidence } from '@sightline/contract/compliance/portal-requests.ts';
import { createSnapshot, listSnapshots } from '@sightline/contract/compliance/snapshots.ts';
import { createClient } from '@sightline/contract/core/client.ts';
import { quarterOf } from '@sightline/contract/core/periods.ts';
import { createAnchor, listAnchors, listReceipts, publishCheckpoint } from '@sightline/contract/ledger/anchors.ts';
import { decideWaiver, requestWaiver } from '@sightline/contract/vulnerabilities/waivers.ts';
import { openReviewEarly } from '../../domains/compliance/access-reviews/open-review.ts';
import { createDigests } from '../../domains/compliance/digests/create-digests.ts';
import { lastWeek } from '../../domains/compliance/digests/jobs.ts';
import { type DemoMember, type DemoRun, waitUntil } from './demo-run.ts';
import type { SandboxDemo } from './sandbox-demo.ts';

const DAY_MS = 86_400_000;

/** Evaluates all controls for the current quarter. */
export async function evaluateControls({ owner, report }: DemoRun): Promise<void> {
  await owner.call(runControls, { body: {} });
  await waitUntil('The evaluation', async () => {
    const controls = await owner.call(listControls, { query: {} });
    const running = controls.filter(({ task }) => task?.state === 'queued' || task?.state === 'running');
    report(`${controls.length - running.length} of ${controls.length} controls`);
    return running.length === 0 ? true : undefined;
  });
}

/** Requests waivers for three failing changes. One is approved, one denied, one awaits a decision. */
export async function requestWaivers({ owner, reviewer }: DemoRun): Promise<void> {
  const { rows } = await owner.call(listControlRows, {
    params: { id: 'CHG-01' },
    query: { verdict: ['fail'], sort: 'position-desc', perPage: 3 },
  });
  const until = new Date(Date.now() + 60 * DAY_MS).toISOString();
  const [approve, deny] = [
    { approve: true, comment: 'The incident report explains the change, and it was reviewed afterwards.' },
    { approve: false, comment: 'A second reviewer was available.' },
  ];
  for (const [index, { subject }] of rows.entries()) {
    const reason = 'The incident had to be ended at night, when no second person was available.';
    const { id } = await owner.call(requestWaiver, { body: { control: 'CHG-01', subject, reason, until } });
    const body = [approve, deny][index];
    if (body) await reviewer.call(decideWaiver, { params: { waiverId: id }, body });
  }
}

/** Opens the access review of the quarter now, and signs it after every member is decided. */
export async function signReview({ services, orgId, owner, reviewer }: DemoRun): Promise<void> {
  await services.database.withOrg(orgId, (tx) => openReviewEarly(services, tx, orgId, { now: new Date() }));
  const [review] = (await owner.call(listAccessReviews, { query: {} })).rows;
  if (!review) throw new Error('The access review was not opened.');
  const params = { reviewId: review.id };
  const { rows } = await owner.call(listAccessReviewItems, { params, query: { perPage: 100 } });
  const own = rows.filter(({ accountId }) => accountId === owner.accountId);
  await decideItems(reviewer, params, own);
  await decideItems(
    owner,
    params,
    rows.filter((row) => !own.includes(row)),
  );
  for (const by of [owner, reviewer]) await keepHostAccess(by, params);
  const { lines, decided } = await owner.call(getAccessReview, { params });
  await owner.call(signAccessReview, { params, body: { lines, decided } });
}

/** Keeps the access on code hosts that is undecided and not that of the reviewer. */
async function keepHostAccess(by: DemoMember, params: { reviewId: string }): Promise<void> {
  const query = { decision: ['none' as const], perPage: 100 };
  const { rows } = await by.call(listAccessReviewHostItems, { params, query });
  const items = rows.filter(({ allowed }) => allowed).map(({ id }) => id);
  if (items.length > 0) await by.call(decideAccessReviewHostItems, { params, body: { decision: 'kept', items } });
}

/** Keeps the current roles, and confirms the change of the others: of members who left or have another role now. */
async function decideItems(by: DemoMember, params: { reviewId: string }, items: readonly AccessReviewItem[]) {
  const kept = items.filter(({ now, roleId }) => now?.roleId === roleId && now.status !== 'deactivated');
  const changed = items.filter((item) => !kept.includes(item));
  for (const [decision, chosen] of [['kept', kept] as const, ['changed', changed] as const]) {
    const lines = chosen.map(({ accountId, roleId }) => ({ accountId, roleId }));
    if (lines.length > 0) await by.call(decideAccessReviewItems, { params, body: { decision, lines } });
  }
}

/** Creates the digests of the last completed week. The reviewer signs those without flagged items, and one with them. */
export async function reviewDigests({ services, orgId, reviewer }: DemoRun): Promise<void> {
  await createDigests(services, orgId, lastWeek(new Date()), { ofImportedHistory: true });
  const { rows } = await reviewer.call(listDigests, { query: { perPage: 50 } });
  const quiet = rows.filter(({ flagged }) => flagged === 0);
  const [busy] = rows.filter(({ flagged }) => flagged > 0);
  for (const digest of [...quiet.slice(0, 4), ...(busy ? [busy] : [])]) await signDigest(reviewer, digest);
}

async function signDigest(reviewer: DemoMember, { id }: Digest): Promise<void> {
  const params = { digestId: id };
  const { bodySha256, items } = await reviewer.call(getDigest, { params });
  const decidable = items.filter(({ isMine }) => !isMine);
  const decided = decidable.map(({ subject }) => ({ subject, choice: 'accepted' as const }));
  await reviewer.call(reviewDigest, {
    params,
    body: { bodySha256, decision: 'reviewed', note: 'Discussed in the weekly meeting.', items: decided },
  });
}

const anchors = [
  { kind: 'mail', party: 'Account Owners', everyHours: 24, settings: {} },
  { kind: 'webhook', party: 'Archive of checkpoints', everyHours: 24 },
] as const;

/** Adds anchors: email to the owners, and a receiver in the sandbox. */
export async function addAnchors(owner: DemoMember, sandbox: SandboxDemo): Promise<void> {
  const [mail, webhook] = anchors;
  await owner.call(createAnchor, { body: mail });
  const url = `${sandbox.url}/_sandbox/demo/checkpoints`;
  await owner.call(createAnchor, { body: { ...webhook, settings: { url } } });
}

/** Publishes a checkpoint to every anchor. */
export async function publishCheckpoints({ owner }: DemoRun): Promise<void> {
  const { rows } = await owner.call(listAnchors, { query: {} });
  // Those of the creation of the anchors exist only if the ledger had entries by then.
  const before = (await owner.call(listReceipts, { query: {} })).total;
  for (const { id } of rows) await owner.call(publishCheckpoint, { params: { anchorId: id } });
  await waitUntil('Publishing a checkpoint', async () =>
    (await owner.call(listReceipts, { query: {} })).total >= before + rows.length ? true : undefined,
  );
}

/** Creates snapshots of the two quarters before this one and of this one. Returns their IDs, oldest first. */
export async function createSnapshots({ owner, report }: DemoRun): Promise<string[]> {
  const quarters = [184, 92, 0].map((days) => quarterOf(new Date(Date.now() - days * DAY_MS)));
  const ids: string[] = [];
  for (const quarter of quarters) {
    const { id } = await owner.call(createSnapshot, { body: { name: `Evidence of ${quarter}`, period: quarter } });
    ids.push(id);
  }
  await waitUntil('The snapshots', async () => {
    const { rows } = await owner.call(listSnapshots, { query: {} });
    const failed = rows.find(({ state }) => state === 'failed');
    if (failed) throw new Error(`A snapshot failed: ${failed.problem}`);
    const ready = rows.filter(({ state }) => state === 'ready').length;
    report(`${ready} of ${ids.length} snapshots`);
    return ready === ids.length ? true : undefined;
  });
  return ids;
}

/** Opens a portal for an outside auditor, who requests evidence twice. Returns its link. */
export async function openPortal({ services, owner }: DemoRun, snapshots: string[]): Promise<string> {
  const { portal, link } = await owner.call(createPortal, {
    body: {
      name: 'SOC 2 Type II',
      auditor: { name: 'Northgate Assurance' },
      snapshots,
      expiresAt: new Date(Date.now() + 60 * DAY_MS).toISOString(),
    },
  });
  const visit = createPortalClient(`${services.config.PUBLIC_URL}/api`);
  await visit(enterPortal, { body: { token: new URL(link).hash.slice(1) } });
  const params = { portalId: portal.id };
  const first = await visit(requestEvidence, {
    params,
    body: { control: 'CHG-01', text: 'Who may merge to the default branch without a second approval?' },
  });
  await visit(requestEvidence, {
    params,
    body: {
      control: 'VUL-01',
      text: 'Please explain the findings that exceeded their time limit.',
      dueOn: new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10),
    },
  });
  await owner.call(answerEvidenceRequest, {
    params: { ...params, requestId: first.id },
    body: { text: 'No person may. The failing changes are listed with their waivers under CHG-01.' },
  });
  return link;
}

/** A client that keeps the cookie of a portal. */
function createPortalClient(baseUrl: string) {
  let cookie = '';
  return createClient({
    baseUrl,
    token: () => undefined,
    fetch: async (url, init) => {
      const response = await fetch(url, { ...init, headers: { ...(init?.headers as object), cookie } });
      cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return response;
    },
  });
}
