import type { HolderKind, HostPermission } from '@sightline/contract/sources/host-access.ts';
import type { Tx } from '#database/database.ts';

/** A row of the history of access: the permission of a holder on a repository from a time on; null: none. */
export interface AccessChangeRow {
  holder: string;
  kind: HolderKind;
  /** The person with the account, or who added the deploy key. */
  person: string | null;
  repository: string;
  at: Date;
  permission: HostPermission | null;
  leaf: number | null;
}

/** The time in which a holder had one permission on a repository. */
export interface AccessSpan {
  repository: string;
  permission: HostPermission;
  from: string;
  /** Null: still. */
  until: string | null;
  /** Indexes of the ledger entries that recorded it. */
  leaves: readonly (number | null)[];
}

export interface HolderAccess {
  holder: string;
  kind: HolderKind;
  person: string | null;
  spans: readonly AccessSpan[];
}

/** The history of each holder. `rows` are in the order of holder, repository and time. */
export function accessOfHolders(rows: readonly AccessChangeRow[]): HolderAccess[] {
  const found = new Map<string, HolderAccess & { spans: AccessSpan[] }>();
  for (const { holder, kind, person, repository, at, permission, leaf } of rows) {
    const one = found.get(holder) ?? { holder, kind, person, spans: [] };
    found.set(holder, one);
    const last = one.spans.at(-1);
    const open = last?.repository === repository && last.until === null ? last : undefined;
    // Only another route, or whether it can bypass the protection, changed.
    if (open?.permission === permission) continue;
    const time = at.toISOString();
    if (open) one.spans.splice(-1, 1, { ...open, until: time, leaves: [...open.leaves, leaf] });
    if (permission !== null) one.spans.push({ repository, permission, from: time, until: null, leaves: [leaf] });
  }
  return [...found.values()];
}

/** A permission of a holder on repositories. */
export interface AccessGrant {
  holder: HolderAccess;
  permission: HostPermission;
  spans: readonly AccessSpan[];
  /** IDs of repositories on which it is in force at the end. */
  inForce: readonly string[];
}

/**
 * What an access review from one time until another has to contain: each permission in force at the end, and each that
 * a holder obtained and lost in between. Teams are reviewed by their members.
 */
export function grantsToReview(
  holders: readonly HolderAccess[],
  { from, moment }: { from: string; moment: string },
): AccessGrant[] {
  return holders.flatMap((holder) => {
    if (holder.kind === 'team') return [];
    const isInForce = ({ from: start, until }: AccessSpan) => start <= moment && (until === null || until > moment);
    const relevant = holder.spans.filter(
      (span) => isInForce(span) || (span.from >= from && span.until !== null && span.until <= moment),
    );
    return [...Map.groupBy(relevant, ({ permission }) => permission)].map(([permission, spans]) => {
      const inForce = [...new Set(spans.filter(isInForce).map(({ repository }) => repository))].sort();
      return { holder, permission, spans, inForce };
    });
  });
}

/** IDs of the repositories of a grant, in order. */
export const repositoriesOfGrant = ({ spans }: Pick<AccessGrant, 'spans'>): string[] =>
  [...new Set(spans.map(({ repository }) => repository))].sort();

/** The history of access to all repositories of an organization, without positions in the ledger. */
export async function loadAccess(tx: Tx, orgId: string): Promise<HolderAccess[]> {
  const rows = await tx.query<AccessChangeRow & Record<string, unknown>>({
    name: 'host-access.history',
    text: `select c.holder_id as holder, h.kind, coalesce(p.merged_into, h.person_id) as person, c.repository_id as repository,
             c.at, c.permission, null as leaf
           from access_change c join access_holder h on h.org_id = $1 and h.id = c.holder_id
           left join person p on p.org_id = $1 and p.id = h.person_id
           where c.org_id = $1 order by c.holder_id, c.repository_id, c.at`,
    values: [orgId],
  });
  return accessOfHolders(rows);
}
