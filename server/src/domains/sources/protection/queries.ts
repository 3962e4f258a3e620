import type { Change } from '@sightline/contract/compliance/changes.ts';
import { completeValue, type Fact, knownItems } from '@sightline/evidence/controls/facts.ts';
import { PROTECTION_VALID_MINUTES } from '@sightline/evidence/controls/protection-polling.ts';
import type { Tx } from '#database/database.ts';
import type { ProtectionRules, SnapshotState } from './rules.ts';

/**
 * Stands for the required checks of a code host that tells only their number, if they were switched off before a merge.
 * Code hosts that tell names never need it.
 */
export const UNNAMED_CHECKS = 'passing builds';

/** Names of the checks that a protection required, as far as the code host tells them. */
export function requiredNames({ requiredChecks, requiredCheckCount }: ProtectionRules): readonly string[] {
  // Snapshots of earlier releases have no number.
  const count = completeValue(requiredCheckCount ?? { state: 'missing' }) ?? 0;
  return requiredChecks.state === 'missing' && count > 0 ? [UNNAMED_CHECKS] : knownItems(requiredChecks);
}

export interface ProtectionSnapshot {
  id: string;
  capturedAt: string;
  state: SnapshotState;
  rules: ProtectionRules;
}

/**
 * The protection of a branch at a time: the snapshot that a merge at that time triggered, else the last one before it.
 * A snapshot is valid until the next reading was due.
 */
export async function maybeProtectionAt(
  tx: Tx,
  orgId: string,
  { repositoryId, branch, at }: { repositoryId: string; branch: string; at: string },
): Promise<ProtectionSnapshot | undefined> {
  const [row] = await tx.query<{ id: string; captured_at: Date; state: SnapshotState; rules: ProtectionRules }>({
    name: 'protection.at',
    text: `select id, captured_at, state, rules from protection_snapshot
           where org_id = $1 and repository_id = $2 and branch = $3
             and captured_at between $4::timestamptz - make_interval(mins => ${PROTECTION_VALID_MINUTES}) and $4::timestamptz + interval '15 minutes'
             and (captured_at <= $4::timestamptz or trigger = 'merge')
           order by captured_at > $4::timestamptz desc, abs(extract(epoch from captured_at - $4::timestamptz)), id limit 1`,
    values: [orgId, repositoryId, branch, at],
  });
  return row && { id: row.id, capturedAt: row.captured_at.toISOString(), state: row.state, rules: row.rules };
}

/** The snapshots of a branch between two times, both included, oldest first. */
export async function listProtectionBetween(
  tx: Tx,
  orgId: string,
  { repositoryId, branch, from, to }: { repositoryId: string; branch: string; from: string; to: string },
): Promise<ProtectionSnapshot[]> {
  const rows = await tx.query<{ id: string; capturedAt: Date; content: string }>({
    name: 'protection.between',
    text: `select id, captured_at as "capturedAt", coalesce(same_as, id) as content from protection_snapshot
           where org_id = $1 and repository_id = $2 and branch = $3 and captured_at between $4 and $5
           order by captured_at, id`,
    values: [orgId, repositoryId, branch, from, to],
  });
  // Most snapshots equal the one before, so that a long time has few contents.
  const contents = await tx.query<{ id: string; state: SnapshotState; rules: ProtectionRules }>({
    name: 'protection.contents',
    text: 'select id, state, rules from protection_snapshot where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, [...new Set(rows.map(({ content }) => content))]],
  });
  const contentOf = new Map(contents.map((content) => [content.id, content]));
  return rows.flatMap(({ id, capturedAt, content }) => {
    const found = contentOf.get(content);
    return found ? [{ id, capturedAt: capturedAt.toISOString(), state: found.state, rules: found.rules }] : [];
  });
}

/** A snapshot for a change record; null if it does not exist. */
export async function findProtectionSnapshot(tx: Tx, orgId: string, id: string): Promise<ChangeProtection | null> {
  const row = await tx.db
    .selectFrom('protection_snapshot')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .select(['id', 'captured_at', 'trigger', 'state', 'rules'])
    .executeTakeFirst();
  if (!row) return null;
  const rules = row.rules as unknown as ProtectionRules;
  const checks = valueOfFact(rules.requiredChecks);
  return {
    id: row.id,
    capturedAt: row.captured_at.toISOString(),
    trigger: row.trigger as ChangeProtection['trigger'],
    state: row.state as ChangeProtection['state'],
    requiredReviews: valueOfFact(rules.requiredReviews),
    dismissesStaleReviews: valueOfFact(rules.dismissesStaleReviews),
    allowsForcePush: valueOfFact(rules.allowsForcePush),
    allowsDeletion: valueOfFact(rules.allowsDeletion),
    includesAdmins: valueOfFact(rules.includesAdmins),
    requiredChecks: checks && [...checks],
    requiredApps: valueOfFact(rules.requiredApps ?? { state: 'missing' })?.map((one) => ({ ...one })) ?? null,
  };
}

type ChangeProtection = NonNullable<Change['protection']>;

const valueOfFact = <Value>(fact: Fact<Value>): Value | null => (fact.state === 'missing' ? null : fact.value);
