import { severities } from '@sightline/contract/core/severities.ts';
import type { FindingFilter } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { LedgerSize } from '#core/ledger-size.ts';
import type { RemediationLimit } from '#core/remediation.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

declare module '#core/services.ts' {
  interface Services {
    /** The remediation time limits of an organization; the first that applies to a finding decides. */
    remediationLimits: {
      /** Now, or at a ledger size. */
      find: (tx: Tx, orgId: string, size?: LedgerSize) => Promise<RemediationLimit[]>;
      /** A scalar subquery for the settings, with the organization as $1: it saves a query with each list. */
      settingsSql: string;
      /** Returns the limits for the result of `settingsSql`. */
      parse: (settings: unknown) => RemediationLimit[];
    };
  }
}

/** Conditions that depend on the single finding, so that stored counts do not apply. */
export interface FindingConditions {
  /** ISO 8601. */
  discoveredFrom?: string | undefined;
  fixedFrom?: string | undefined;
  /** Only open findings beyond these limits, at this time in epoch milliseconds. */
  overdueBy?: { limits: readonly RemediationLimit[]; at: number } | undefined;
  /** Only findings whose introducing commit has one of these logins on the code host of the repository. */
  introducedBy?: readonly OwnLogin[] | undefined;
  /** Only findings with one of these assignees, or without one if it contains null. */
  assignees?: readonly (string | null)[] | undefined;
  labels?: readonly string[] | undefined;
  components?: readonly string[] | undefined;
}

/**
 * The code host of a login, null if all repositories are on it, and the MD5 hash of the login as a UUID, as in
 * `finding`.
 */
interface OwnLogin {
  kind: string | null;
  hash: string;
}

export type FindingConditionFilter = Pick<
  FindingFilter,
  'discoveredFrom' | 'fixedFrom' | 'overdue' | 'introducedBy' | 'assignee' | 'label' | 'component'
>;

/** Resolves the conditions of a filter; undefined if it has none. */
export async function findingConditionsOf(
  services: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  actor: Actor,
  {
    discoveredFrom,
    fixedFrom,
    overdue,
    introducedBy,
    assignee,
    label,
    component,
    size,
  }: FindingConditionFilter & { size?: LedgerSize | undefined },
): Promise<FindingConditions | undefined> {
  const lists = assignee.length + label.length + component.length;
  if (!discoveredFrom && !fixedFrom && !overdue && !introducedBy && lists === 0) return undefined;
  return {
    discoveredFrom,
    fixedFrom,
    overdueBy: overdue && {
      limits: await services.remediationLimits.find(tx, actor.orgId, size),
      at: size ? Date.parse(size.at) : currentMinute(),
    },
    introducedBy: introducedBy && (await listLoginsOf(tx, actor)),
    assignees: nonEmpty(assignee.map((id) => (id === 'none' ? null : id === 'me' ? actor.accountId : id))),
    labels: nonEmpty(label),
    components: nonEmpty(component),
  };
}

const nonEmpty = <Value>(values: readonly Value[]): readonly Value[] | undefined =>
  values.length === 0 ? undefined : values;

/** The time in epoch milliseconds at which limits are evaluated, so that the requests of a minute share their counts. */
export const currentMinute = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

const MINUTE_MS = 60_000;

/**
 * Lists the logins of the actor on code hosts with repositories. Row-level security permits no index condition that hashes
 * a column; therefore the logins are hashed.
 */
const listLoginsOf = (tx: Tx, { orgId, personId, formerIds }: Actor): Promise<OwnLogin[]> =>
  tx.query<OwnLogin & { [column: string]: unknown }>({
    name: 'findings.own-logins',
    text: `with provider as materialized (select distinct provider as kind from repository where org_id = $1)
           select distinct case when (select count(*) from provider) > 1 then i.kind end as kind, md5(i.value)::uuid as hash
           from identity i join provider p on p.kind = i.kind
           where i.org_id = $1 and i.person_id = any($2::uuid[]) order by kind, hash`,
    values: [orgId, [personId, ...formerIds]],
  });

/**
 * The conditions on a finding `f`, each preceded by `and`. Uses only columns that the indexes of lists contain. A list
 * that walks along lanes names its `lane`, which limits the range of the index.
 */
export function conditionsSql(
  orgId: string,
  conditions: FindingConditions | undefined,
  walkedLane?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!conditions) return sql``;
  const { discoveredFrom, fixedFrom, overdueBy, introducedBy, assignees, labels, components } = conditions;
  const lane = walkedLane ?? sql`f.lane`;
  return sql`
    ${discoveredFrom === undefined ? sql`` : sql`and f.discovered_at >= ${discoveredFrom}::timestamptz`}
    ${fixedFrom === undefined ? sql`` : sql`and f.fixed_at >= ${fixedFrom}::timestamptz`}
    ${overdueBy === undefined ? sql`` : sql`and f.status = 'open' and f.discovered_at < ${overdueBeforeSql(overdueBy, lane)}`}
    ${introducedBy === undefined ? sql`` : sql`and ${introducedBySql(orgId, introducedBy)}`}
    ${assignees === undefined ? sql`` : sql`and ${assigneeSql(assignees)}`}
    ${components === undefined ? sql`` : sql`and f.component = any(${components}::text[])`}
    ${labels === undefined ? sql`` : sql`and ${labeledSql(orgId, labels, walkedLane !== undefined)}`}`;
}

// A walk ends after a page, so each finding is looked up: the limit prevents a join with all findings of the labels.
const labeledSql = (orgId: string, labels: readonly string[], isWalk: boolean): RawBuilder<unknown> => {
  const ofLabels = sql`from finding_label l where l.org_id = ${orgId} and l.label = any(${labels}::text[])`;
  return isWalk
    ? sql`(select true ${ofLabels} and l.finding_id = f.id limit 1)`
    : sql`f.id in (select l.finding_id ${ofLabels})`;
};

function introducedBySql(orgId: string, logins: readonly OwnLogin[]): RawBuilder<unknown> {
  const hashes = (some: readonly OwnLogin[]) => [...new Set(some.map(({ hash }) => hash))];
  const ofKinds = [...Map.groupBy(logins, ({ kind }) => kind)].map(([kind, own]) =>
    kind === null
      ? sql`true`
      : sql`(f.introduced_login_hash = any(${hashes(own)}::uuid[]) and exists (
          select from repository r where r.org_id = ${orgId} and r.id = f.repository_id and r.provider = ${kind}))`,
  );
  const isOwn = sql`f.introduced_login_hash = any(${hashes(logins)}::uuid[])`;
  return ofKinds.length === 0 ? isOwn : sql`${isOwn} and (${sql.join(ofKinds, sql` or `)})`;
}

function assigneeSql(assignees: readonly (string | null)[]): RawBuilder<unknown> {
  const ids = assignees.filter((id) => id !== null);
  const isAssigned = sql`f.assignee_id = any(${ids}::uuid[])`;
  if (!assignees.includes(null)) return isAssigned;
  return ids.length === 0 ? sql`f.assignee_id is null` : sql`(f.assignee_id is null or ${isAssigned})`;
}

/** Whether few findings match, so that they are read by their own index instead of along the lanes. */
export const isSelective = (conditions: FindingConditions | undefined): boolean =>
  conditions !== undefined &&
  (conditions.fixedFrom !== undefined ||
    conditions.introducedBy !== undefined ||
    conditions.labels !== undefined ||
    conditions.components !== undefined ||
    conditions.assignees?.includes(null) === false);

const DAY_MS = 86_400_000;

/** The time before which an open finding of each severity is overdue; null without a limit. */
export const overdueBeforeBySeverity = ({ days }: RemediationLimit, at: number): (string | null)[] =>
  severities.map((one) => (days[one] > 0 ? new Date(at - days[one] * DAY_MS).toISOString() : null));

// The first limit that applies to the repository on the day of discovery decides. 0 means no limit: no time is before
// null.
function overdueBeforeSql(
  { limits, at }: NonNullable<FindingConditions['overdueBy']>,
  lane: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const beforeOf = (limit: RemediationLimit) =>
    sql`(${overdueBeforeBySeverity(limit, at)}::timestamptz[])[split_part(${lane}, chr(10), 1)::int + 1]`;
  // The last limit applies to all. Without others, the time does not depend on the finding and limits the range.
  const last = limits.at(-1);
  if (!last) return sql`null::timestamptz`;
  if (limits.length === 1) return beforeOf(last);
  const cases = limits.slice(0, -1).map(
    (limit) => sql`when true
      ${limit.repositories === null ? sql`` : sql`and f.repository_id = any(${limit.repositories}::uuid[])`}
      ${limit.from === null ? sql`` : sql`and f.discovered_at >= ${limit.from}::timestamptz`}
      ${limit.until === null ? sql`` : sql`and f.discovered_at < ${limit.until}::timestamptz`}
      then ${beforeOf(limit)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} else ${beforeOf(last)} end`;
}
