import { accountField } from '@sightline/evidence/bundle/accounts.ts';
import { assessApproval } from '@sightline/evidence/controls/approval.ts';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { sha256 } from '#core/hmac.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry, type PersonalField } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { hostAccountsOf } from './accounts.ts';
import type { ChangeCause } from './change-queue.ts';
import type { PartSource } from './host-answer.ts';
import { addReviewsToEvent } from './host-reviews.ts';
import { countMerge } from './merge-counts.ts';
import type { SourcedParts } from './merges.ts';
import { type ChangeParts, listFrom, type PartName, personIdsOf, personsOf } from './parts.ts';
import { approvalRow } from './rows.ts';
import { markSamePersons } from './same-persons.ts';
import type { RecordedRepository } from './scope.ts';

/** The state of a change at one time; its record is one version. */
export interface ChangeVersion {
  id: string;
  branch: string;
  mergeMethod: 'pull_request' | 'merge_queue' | 'direct_push' | 'unknown';
  number: number | null;
  pushId: string | null;
  mergedAt: string;
  mergeSha: string | null;
  headSha: string | null;
  parts: SourcedParts;
  protectionId: string | null;
  cause: ChangeCause;
  /** The person whose key protects the personal data. */
  author: string | null;
  title: string | null;
}
type Sources = Record<string, PartSource>;

/**
 * Adds a version of a change record with its ledger entry, unless it equals the last version. Better parts of earlier
 * versions remain: a host that no longer answers removes nothing. Returns the sources.
 */
export async function addChangeVersion(
  services: Services,
  tx: Tx,
  place: RecordedRepository,
  made: ChangeVersion,
): Promise<Sources> {
  const { orgId, repositoryId, defaultBranch } = place;
  await lockChange(tx, made.id);
  const last = await latestVersionOf(tx, orgId, made.id);
  const { parts: bestParts, sources } = bestOf(made, last);
  const parts = await markSamePersons(tx, orgId, {
    repositoryId,
    parts: await withMergedPersons(tx, orgId, bestParts),
    earlier: last?.parts,
  });
  const resolved: ResolvedVersion = {
    ...made,
    parts,
    version: (last?.version ?? 0) + 1,
    mergeMethod: made.mergeMethod === 'unknown' && last ? last.mergeMethod : made.mergeMethod,
    // Every version belongs to the same period.
    mergedAt: last?.merged_at.toISOString() ?? new Date(made.mergedAt).toISOString(),
    // As of the first record of the change, so that a renamed default branch does not alter earlier changes.
    isDefaultBranch: last?.is_default_branch ?? made.branch === defaultBranch,
    protectionId: made.protectionId ?? last?.protection_id ?? null,
    missing: Object.entries(sources)
      .filter(([, { state }]) => state !== 'complete')
      .map(([name]) => name)
      .sort(),
  };
  if (last && contentOf(resolved) === contentOf({ ...last, mergeSha: last.merge_sha })) return sources;
  const entryId = await appendVersion(services, tx, place, resolved);
  await insertVersion(tx, place, resolved, { sources, entryId, last });
  if (made.number !== null) {
    await addReviewsToEvent(services, tx, {
      recordedRepository: place,
      number: made.number,
      now: parts,
      before: last?.parts,
    });
  }
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgRepos', { repositoryId }));
  return sources;
}

/** Waits for other transactions that add a version of the change. */
export const lockChange = (tx: Tx, id: string) =>
  tx.query({
    name: 'changes.lock',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 7318204))',
    values: [id],
  });

/** A version with its parts resolved against earlier versions and merged persons. */
interface ResolvedVersion extends Omit<ChangeVersion, 'parts'> {
  parts: ChangeParts;
  version: number;
  isDefaultBranch: boolean;
  /** Names of the parts that are not complete. */
  missing: string[];
}

/** What makes two versions differ. */
const contentOf = ({
  parts,
  mergeMethod,
  mergeSha,
  number,
}: Pick<ResolvedVersion, 'parts' | 'mergeMethod' | 'mergeSha' | 'number'>): string =>
  canonicalJson({ parts, mergeMethod, mergeSha, number } as unknown as CanonicalValue);

/** Appends the ledger entry of a version. Returns its ID. */
async function appendVersion(
  services: Services,
  tx: Tx,
  { orgId, repositoryId, provider, origin }: RecordedRepository,
  made: ResolvedVersion,
): Promise<string> {
  const accounts = await hostAccountsOf(tx, orgId, provider, personsOf(made.parts));
  const persons = [...(made.author === null ? [] : [made.author]), ...accounts.map(({ person }) => person)];
  const keys = await services.people.keys(tx, orgId, persons);
  const key = made.author === null ? undefined : keys.get(made.author);
  const fact = {
    id: newId(),
    org: orgId,
    kind: 'change',
    asOf: made.mergedAt,
    receivedAt: new Date().toISOString(),
    person: key ? made.author : null,
    source: provider,
    subject: {
      change: made.id,
      version: made.version,
      repository: repositoryId,
      origin,
      branch: made.branch,
      isDefaultBranch: made.isDefaultBranch,
      mergeMethod: made.mergeMethod,
      number: made.number,
      push: made.pushId,
      mergedAt: made.mergedAt,
      mergeSha: made.mergeSha,
      headSha: made.headSha,
      // The parts may exceed the maximum size of an entry, so it contains their hash.
      parts: sha256(canonicalJson(made.parts as unknown as CanonicalValue)).toString('hex'),
      missing: made.missing,
      protection: made.protectionId,
    },
    personal: key && made.title !== null ? { title: made.title } : {},
  };
  const personal = accounts.flatMap(({ person, hostId }): PersonalField[] => {
    const own = keys.get(person);
    return own ? [{ field: accountField(person), value: hostId, key: own }] : [];
  });
  await appendEntries(tx, orgId, [createLedgerEntry(fact, key, personal)]);
  return fact.id;
}

async function insertVersion(
  tx: Tx,
  { orgId, repositoryId }: RecordedRepository,
  made: ResolvedVersion,
  { sources, entryId, last }: { sources: Sources; entryId: string; last: LatestVersion | undefined },
): Promise<void> {
  const { parts } = made;
  const { failures, missing } = assessApproval(approvalRow(parts, made.mergeMethod, made.mergedAt), 1);
  const approval = failures.length > 0 ? 'no' : missing.length > 0 ? 'unknown' : 'yes';
  await tx.db
    .insertInto('change_record')
    .values({
      org_id: orgId,
      id: made.id,
      repository_id: repositoryId,
      parts: JSON.stringify(parts),
      sources: JSON.stringify(sources),
      version: made.version,
      branch: made.branch,
      is_default_branch: made.isDefaultBranch,
      merge_method: made.mergeMethod,
      number: made.number,
      push_id: made.pushId,
      merged_at: made.mergedAt,
      merge_sha: made.mergeSha,
      head_sha: made.headSha,
      authors: personIdsOf(listFrom(parts.authors)),
      persons: personsOf(parts),
      missing: made.missing,
      approval,
      self_approved: failures.some((reason) =>
        /^approved_by_(author|last_pusher|earlier_pusher|session_owner):/.test(reason),
      ),
      has_agent:
        listFrom(parts.ai).length > 0 ||
        listFrom(parts.authors).some(({ kind }) => kind === 'agent') ||
        listFrom(parts.agents).some(({ observed }) => observed === 'yes'),
      protection_id: made.protectionId,
      cause: made.cause,
      entry_id: entryId,
    })
    .execute();
  await countMerge(
    tx,
    { orgId, repositoryId },
    { mergedAt: made.mergedAt, before: last, after: { ...made, approval } },
  );
}

interface LatestVersion {
  [column: string]: unknown;
  version: number;
  mergeMethod: ChangeVersion['mergeMethod'];
  number: number | null;
  pushId: string | null;
  approval: string;
  branch: string;
  merge_sha: string | null;
  head_sha: string | null;
  merged_at: Date;
  is_default_branch: boolean;
  parts: ChangeParts;
  sources: Sources;
  protection_id: string | null;
}

/** Replaces persons who were merged since an earlier version. */
async function withMergedPersons(tx: Tx, orgId: string, parts: ChangeParts): Promise<ChangeParts> {
  const rows = await tx.query<{ id: string; merged_into: string }>({
    name: 'changes.merged',
    text: 'select id, merged_into from person where org_id = $1 and id = any($2::uuid[]) and merged_into is not null',
    values: [orgId, personsOf(parts)],
  });
  if (rows.length === 0) return parts;
  const now = new Map(rows.map(({ id, merged_into: into }) => [id, into]));
  const json = JSON.stringify(parts, (key, value: unknown) =>
    key === 'person' && typeof value === 'string' ? (now.get(value) ?? value) : value,
  );
  return JSON.parse(json) as ChangeParts;
}

/** Returns the latest version of a record. */
export const latestVersionOf = async (tx: Tx, orgId: string, id: string): Promise<LatestVersion | undefined> =>
  (
    await tx.query<LatestVersion>({
      name: 'changes.lastVersion',
      text: `select version, merge_method as "mergeMethod", number, push_id as "pushId", approval, branch, merge_sha, head_sha, merged_at, is_default_branch, parts, sources, protection_id from change_record
             where org_id = $1 and id = $2 order by version desc limit 1`,
      values: [orgId, id],
    })
  )[0];

const rank = { missing: 0, partial: 1, complete: 2 } as const;

function bestOf(made: ChangeVersion, last: LatestVersion | undefined): { parts: ChangeParts; sources: Sources } {
  const parts: Record<string, unknown> = {};
  const sources: Sources = {};
  for (const [name, { known, source }] of Object.entries(made.parts)) {
    const was = last?.sources[name];
    const isWorse = was !== undefined && rank[was.state] > rank[source.state];
    parts[name] = isWorse ? last?.parts[name as PartName] : known;
    sources[name] = isWorse ? was : source;
  }
  return { parts: parts as unknown as ChangeParts, sources };
}
