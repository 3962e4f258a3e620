import { createPublicKey, verify } from 'node:crypto';
import {
  getChangeProvenance,
  getChangeSourceLevel,
  getChangeVsa,
  type SourceLevel,
  sourcePolicyPath,
} from '@sightline/contract/compliance/changes.ts';
import { ledgerKeyPath, ledgerPemPath } from '@sightline/contract/ledger/ledger.ts';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sha256 } from '#core/hmac.ts';
import { rotateKey } from '../../ledger/ledger/epochs.ts';
import { sequenceEntries } from '../../ledger/ledger/sequence.ts';
import { queueProtection } from '../../sources/protection/commands.ts';
import { startWorld } from './changes.fixture.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
  await world.control('protect-tags', { isOn: true });
  await protect(rules);
}, 180_000);
afterAll(() => world.close());

const rules = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: ['build'],
};
type Rules = typeof rules;

const as = () => world.server.as(world.acme.owner, world.acme.id);
const wait = { timeout: 60_000, interval: 200 };

/** Sets the branch protection, and waits until a snapshot contains it. */
async function protect(now: Rules): Promise<void> {
  await world.control('protect', { rules: now });
  await snapshotWith(now);
}

async function snapshotWith({ requiredChecks, includesAdmins }: Rules): Promise<void> {
  const { server, acme, repositoryId } = world;
  const { length: before } = await snapshots();
  await world.inAcme((tx) => queueProtection(server.services, tx, acme.id, { repositoryId }));
  await vi.waitFor(async () => {
    const all = await snapshots();
    expect(all.length).toBeGreaterThan(before);
    expect(all.at(-1)).toMatchObject({ checks: requiredChecks, admins: includesAdmins, tags: true });
    // The host reports times in seconds: a push in the second of the snapshot would seem to precede it.
    expect(Date.now()).toBeGreaterThan((all.at(-1)?.at.getTime() ?? 0) + 1_000);
  }, wait);
}

const snapshots = () =>
  world.rowsOf<{ checks: string[]; admins: boolean; tags: boolean; at: Date }>(
    `select captured_at as at, rules #> '{requiredChecks,value}' as checks, rules #> '{includesAdmins,value}' as admins, rules #> '{protectsTags,value}' as tags
     from protection_snapshot where org_id = $1 and branch = 'main' order by captured_at, id`,
  );

/** Opens a pull request from a new branch with one commit, by Zoë unless stated. Returns its number. */
async function openPull(branch: string, by = 'zoe-a'): Promise<number> {
  const { story, github } = world;
  story.git(['branch', branch, 'main']);
  await world.control('push', { branch, by, files: { [`${branch}.txt`]: 'new\n' } });
  const heads = github.sandbox.host.repositories[0]?.git.pullRequests.map(({ headRef }) => headRef);
  expect(heads).toContain(branch);
  return world.numberOf(branch);
}

interface Merge {
  author?: string;
  reviewer?: string | null;
  conclusion?: string;
}

/** Merges a branch by Ada, and returns the source level of the change once its push is recorded. */
async function mergeOf(
  branch: string,
  { author, reviewer = 'bob', conclusion = 'success' }: Merge = {},
): Promise<SourceLevel> {
  const number = await openPull(branch, author);
  await world.control('check', { sha: world.story.git(['rev-parse', branch]), name: 'build', conclusion });
  if (reviewer) await world.control('review', { number, by: reviewer });
  await world.control('merge', { number, by: 'ada' });
  const { id } = await world.recordOf(number);
  return vi.waitFor(async () => {
    const found = await as()(getChangeSourceLevel, { params: { id } });
    const history = found.requirements.find((one) => one.id === 'history');
    expect(history?.reasons.map(({ code }) => code)).not.toContain('push_unknown');
    const review = found.requirements.find((one) => one.id === 'two-party-review');
    expect(review?.reasons.map(({ code }) => code)).not.toContain('merge_method_unknown');
    return found;
  }, wait);
}

const stateOf = (found: SourceLevel, id: string): string => {
  const requirement = found.requirements.find((one) => one.id === id);
  return [requirement?.state, ...(requirement?.reasons.map(({ code }) => code) ?? [])].join(' ');
};

test('derives the level of merges on GitHub from their record, and restarts continuity after lapses', {
  tags: 'full',
  timeout: 600_000,
}, async () => {
  // No push before the first merge is recorded, so nothing shows that the branch was protected until then.
  const first = await mergeOf('s-first');
  expect(first.level).toBe(1);
  expect(stateOf(first, 'continuity')).toBe('unknown previous_revision_unknown');

  const good = await mergeOf('s-good');
  expect(good.requirements.filter(({ state }) => state !== 'met')).toEqual([]);
  expect(good.verifiedLevels).toEqual(['SLSA_SOURCE_LEVEL_4', 'SLSA_SOURCE_TWO_PARTY_REVIEWED']);

  const unreviewed = await mergeOf('s-unreviewed', { reviewer: null });
  expect(unreviewed).toMatchObject({ result: 'FAILED', level: 2, verifiedLevels: ['FAILED'] });
  expect(unreviewed.violations.map(({ code }) => code)).toEqual(['no_independent_approval']);

  const failedCheck = await mergeOf('s-failed', { conclusion: 'failure' });
  expect(failedCheck).toMatchObject({ result: 'FAILED', verifiedLevels: ['FAILED'] });
  expect(failedCheck.violations.map(({ code }) => code)).toEqual(['required_check_failed']);

  // Carol reviews without being a member.
  const stranger = await mergeOf('s-stranger', { author: 'bob', reviewer: 'zoe-a' });
  expect(stranger).toMatchObject({ result: 'FAILED', verifiedLevels: ['FAILED'] });
  expect(stranger.violations.map(({ code }) => code)).toEqual(['approved_by_non_member', 'no_independent_approval']);

  await protect({ ...rules, requiredChecks: [], includesAdmins: false });
  await protect(rules);
  const afterSwitch = await mergeOf('s-switched');
  expect(afterSwitch.level).toBe(2);
  expect(stateOf(afterSwitch, 'technical-controls')).toContain('unmet admins_exempt');

  await world.control('push', { by: 'ada', files: { 'forced.txt': 'f\n' }, forced: true });
  const afterForce = await mergeOf('s-forced');
  expect(afterForce).toMatchObject({ result: 'PASSED', level: 1 });
  expect(stateOf(afterForce, 'history')).toBe('unmet previous_push_forced');

  expect((await mergeOf('s-again')).level).toBe(4);
});

test('a direct push with a bypass fails, and an approval by a linked account of the author too', {
  timeout: 600_000,
}, async () => {
  await world.control('push', { by: 'bob', files: { 'direct.txt': 'd\n' } });
  const sha = world.story.git(['rev-parse', 'main']);
  const { id } = await world.directOf(sha);
  const direct = await as()(getChangeSourceLevel, { params: { id } });
  expect(direct).toMatchObject({ result: 'FAILED', verifiedLevels: ['FAILED'] });
  expect(direct.violations.map(({ code }) => code)).toContain('direct_push');

  const zoeEmail = '4711+zoe-a@users.noreply.github.com';
  const number = await openPull('s-second');
  await world.control('check', { sha: world.story.git(['rev-parse', 's-second']), name: 'build' });
  await world.control('review', { number, by: 'bob' });
  await world.control('merge', { number, by: 'ada' });
  const record = await world.recordOf(number);
  await world.control('push', { by: 'ada', files: { '.mailmap': `Bob <info@example.org> <${zoeEmail}>\n` } });
  await world.recordOf(number, ({ approval }) => expect(approval).toBe('no'));
  const linked = await as()(getChangeSourceLevel, { params: { id: record.id } });
  expect(linked).toMatchObject({ result: 'FAILED', verifiedLevels: ['FAILED'] });
  expect(linked.violations.map(({ code }) => code)).toContain('approved_by_author');
});

type Envelope = Awaited<ReturnType<typeof vsaOf>>;
const vsaOf = (id: string) => as()(getChangeVsa, { params: { id } });
async function anyChange(): Promise<string> {
  const [row] = await world.rowsOf<{ id: string }>(
    `select id from change_record where org_id = $1 and number is not null and push_id is null and merge_sha is not null
     order by merged_at desc limit 1`,
  );
  return row?.id ?? '';
}
const payloadOf = ({ payload }: Envelope) => JSON.parse(Buffer.from(payload, 'base64').toString());
const getText = async (path: string) => (await fetch(`${world.server.url}${path}`)).text();

/** Verifies an envelope with the Sigstore library. Throws if it is not signed with the key. */
function verifyWithSigstore(envelope: Envelope, pem: string) {
  const publicKey = createPublicKey(pem);
  const root = { mediaType: '', tlogs: [], certificateAuthorities: [], ctlogs: [], timestampAuthorities: [] };
  const trust = toTrustMaterial(root, () => ({ publicKey: publicKey as never, validFor: () => true }));
  const bundle = bundleFromJSON({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: envelope.signatures[0]?.keyid }, tlogEntries: [] },
    dsseEnvelope: envelope,
  });
  return new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 }).verify(
    toSignedEntity(bundle),
  );
}

/** Verifies an envelope with Node alone, as OpenSSL does. */
function isSigned({ payload, payloadType, signatures }: Envelope, pem: string): boolean {
  const body = Buffer.from(payload, 'base64');
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `), body]);
  return verify(null, signed, pem, Buffer.from(signatures[0]?.sig ?? '', 'base64'));
}

describe('a signed statement', () => {
  test('names revision, branch, verifier, policy and source provenance by digest', async () => {
    const id = await anyChange();
    const statement = payloadOf(await vsaOf(id));
    const level = await as()(getChangeSourceLevel, { params: { id } });
    const policy = await getText(sourcePolicyPath);
    const provenance = await as()(getChangeProvenance, { params: { id } });
    const { PUBLIC_URL: url } = world.server.config;
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/verification_summary/v1',
      subject: [{ digest: { gitCommit: level.revision }, annotations: { sourceRefs: ['refs/heads/main'] } }],
      predicate: {
        verifier: { id: `${url}/org/${world.acme.id}`, version: { 'source-policy': '1' } },
        policy: { uri: `${url}${sourcePolicyPath}`, digest: { sha256: sha256(policy).toString('hex') } },
        inputAttestations: [{ digest: { sha256: sha256(Buffer.from(provenance.payload, 'base64')).toString('hex') } }],
        verificationResult: level.result,
        verifiedLevels: level.verifiedLevels,
        slsaVersion: '1.2',
      },
    });
    expect(statement.predicate.resourceUri).toMatch(/^git\+http.*\/sandbox\/widgets$/);
    expect(payloadOf(provenance)).toMatchObject({
      predicateType: 'https://sightline.dev/ns/source-provenance/v1',
      subject: statement.subject,
      predicate: { change: { id }, branch: 'refs/heads/main', requirements: expect.any(Array) },
    });
    // Statements name persons by opaque ID.
    expect(JSON.stringify([statement, payloadOf(provenance)])).not.toMatch(/zoe-a|Lovelace|example[.]org/);
  });

  test('is verified by the Sigstore library and by Node with the published PEM key, unless it was altered', async () => {
    const envelope = await vsaOf(await anyChange());
    const keyId = envelope.signatures[0]?.keyid ?? '';
    const pem = await getText(ledgerKeyPath(world.acme.id, keyId));
    expect(sha256(createPublicKey(pem).export({ type: 'spki', format: 'der' })).toString('hex')).toBe(keyId);
    expect(verifyWithSigstore(envelope, pem)).toBeDefined();
    expect(isSigned(envelope, pem)).toBe(true);

    const raised = payloadOf(envelope);
    raised.predicate.verifiedLevels = ['SLSA_SOURCE_LEVEL_4', 'RAISED'];
    const altered = { ...envelope, payload: Buffer.from(JSON.stringify(raised)).toString('base64') };
    expect(() => verifyWithSigstore(altered, pem)).toThrow('signature verification failed');
    expect(isSigned(altered, pem)).toBe(false);

    const { server } = world;
    const other = await server.make.organization();
    await sequenceEntries(server.services.ledger, other.id);
    const foreign = await getText(ledgerPemPath(other.id));
    expect(foreign).toContain('BEGIN PUBLIC KEY');
    expect(() => verifyWithSigstore(envelope, foreign)).toThrow('signature verification failed');
    expect(isSigned(envelope, foreign)).toBe(false);
  });

  test('stays verifiable after the signing key was replaced', async () => {
    const { server, acme } = world;
    const id = await anyChange();
    const before = await vsaOf(id);
    await rotateKey(server.services, { operator: 'test', requestId: 'test' }, acme.id);
    const after = await vsaOf(id);
    const [oldId, newId] = [before, after].map(({ signatures }) => signatures[0]?.keyid ?? '');
    expect(newId).not.toBe(oldId);
    const keys = await getText(ledgerPemPath(acme.id));
    // A program that reads only the first key gets the current one.
    expect([...keys.matchAll(/^keyid: (.+)$/gm)].map(([, key]) => key)).toEqual([newId, oldId]);
    expect(verifyWithSigstore(after, keys)).toBeDefined();
    const oldPem = await getText(ledgerKeyPath(acme.id, oldId ?? ''));
    expect(verifyWithSigstore(before, oldPem)).toBeDefined();
    expect(() => verifyWithSigstore(after, oldPem)).toThrow('signature verification failed');
    expect((await fetch(`${server.url}${ledgerKeyPath(acme.id, '0'.repeat(64))}`)).status).toBe(404);
  });
});
