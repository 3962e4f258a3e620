import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { byCodeUnits } from '@sightline/evidence/controls/order.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type CodeHost, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { HostProtection } from '#providers/host-evidence.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import type { ProtectionRules, SnapshotState } from './rules.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'protection.read': { orgId: string; repositoryId: string; trigger: 'webhook' | 'poll' };
  }
}

export interface ProtectionReading {
  repositoryId: string;
  branch: string;
  capturedAt: string;
  trigger: 'webhook' | 'merge' | 'poll';
  state: SnapshotState;
  rules: ProtectionRules;
}

/** Queues the job that reads the branch protection of a repository. */
export const queueProtection = (
  services: Services,
  tx: Tx,
  orgId: string,
  {
    repositoryId,
    trigger = 'webhook',
    startAfter,
  }: { repositoryId: string; trigger?: 'webhook' | 'poll' | undefined; startAfter?: Date | undefined },
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'protection.read',
    { orgId, repositoryId, trigger },
    { key: startAfter ? `${repositoryId} later` : repositoryId, ...(startAfter && { startAfter }) },
  );

/**
 * Reads the current protection of a branch. Undefined if the host does not provide it or the branch was deleted. Throws
 * HostLimited and retryable errors.
 */
export async function readProtection(
  host: CodeHost,
  {
    ref,
    repositoryId,
    branch,
    trigger,
  }: { ref: HostRef; repositoryId: string; branch: string; trigger: ProtectionReading['trigger'] },
): Promise<ProtectionReading | undefined> {
  if (!host.evidence) return undefined;
  const capturedAt = new Date().toISOString();
  try {
    const found = await host.evidence.protectionOf(ref, branch);
    const state = found === undefined ? 'none' : isComplete(found) ? 'read' : 'forbidden';
    const protectsTags = factOf(await host.evidence.tagsAreProtected(ref));
    const rules = { ...rulesOf(found ?? unprotected), protectsTags };
    return { repositoryId, branch, capturedAt, trigger, state, rules };
  } catch (error) {
    if (error instanceof HostLimited || !(error instanceof HostRefused)) throw error;
    if (error.status !== 401 && error.status !== 403) return undefined;
    return { repositoryId, branch, capturedAt, trigger, state: 'forbidden', rules: rulesOf(unreadable) };
  }
}

/** Stores a snapshot with its ledger entry and returns its ID. An unchanged snapshot references the previous one. */
export async function storeProtectionSnapshot(
  tx: Tx,
  orgId: string,
  snapshot: ProtectionReading,
  source: string,
): Promise<string> {
  const { repositoryId, branch, capturedAt, trigger, state, rules } = snapshot;
  const [last] = await tx.query<{ id: string; same_as: string | null; state: string; rules: ProtectionRules }>({
    name: 'protection.last',
    text: `select id, same_as, state, rules from protection_snapshot where org_id = $1 and repository_id = $2 and branch = $3
           order by captured_at desc, id desc limit 1`,
    values: [orgId, repositoryId, branch],
  });
  const isSame = last?.state === state && canonicalJson(asJson(last.rules)) === canonicalJson(asJson(rules));
  const sameAs = isSame ? (last.same_as ?? last.id) : null;
  const id = newId();
  const subject = { snapshot: id, repository: repositoryId, branch, trigger, state, rules: asJson(rules), sameAs };
  const fact = {
    id: newId(),
    org: orgId,
    kind: 'protection',
    asOf: capturedAt,
    receivedAt: capturedAt,
    person: null,
    source,
    subject,
    personal: {},
  };
  await appendEntries(tx, orgId, [createLedgerEntry(fact, undefined)]);
  await tx.query({
    name: 'protection.keep',
    text: `insert into protection_snapshot (org_id, id, repository_id, branch, captured_at, trigger, state, rules, same_as, entry_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [orgId, id, repositoryId, branch, capturedAt, trigger, state, JSON.stringify(rules), sameAs, fact.id],
  });
  return id;
}

const asJson = (rules: ProtectionRules) => rules as unknown as { readonly [key: string]: never };

const isComplete = (found: HostProtection): boolean => Object.values(found).every((value) => value !== null);

const rulesOf = (found: HostProtection): ProtectionRules => ({
  requiredReviews: factOf(found.requiredReviews),
  dismissesStaleReviews: factOf(found.dismissesStaleReviews),
  allowsForcePush: factOf(found.allowsForcePush),
  allowsDeletion: factOf(found.allowsDeletion),
  includesAdmins: factOf(found.includesAdmins),
  requiredChecks: factOf(found.requiredChecks && [...found.requiredChecks].sort()),
  requiredCheckCount: factOf(found.requiredCheckCount),
  requiredApps: factOf(
    found.requiredApps?.toSorted((a, b) => byCodeUnits(a.name, b.name) || byCodeUnits(a.app, b.app)) ?? null,
  ),
  unboundChecks: factOf(found.unboundChecks),
});

const factOf = <Value>(value: Value | null): Fact<Value> =>
  value === null ? { state: 'missing' } : { state: 'complete', value };

const unprotected: HostProtection = {
  requiredReviews: 0,
  dismissesStaleReviews: false,
  allowsForcePush: true,
  allowsDeletion: true,
  includesAdmins: false,
  requiredChecks: [],
  requiredCheckCount: 0,
  requiredApps: [],
  unboundChecks: 0,
};

const unreadable: HostProtection = {
  requiredReviews: null,
  dismissesStaleReviews: null,
  allowsForcePush: null,
  allowsDeletion: null,
  includesAdmins: null,
  requiredChecks: null,
  requiredCheckCount: null,
  requiredApps: null,
  unboundChecks: null,
};
