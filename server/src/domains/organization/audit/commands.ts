import type { AuditFilter, AuditFormat } from '@sightline/contract/organization/audit.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import type { Actor } from '#core/actor.ts';
import { exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { type AuditLine, columns } from './columns.ts';
import { detailsOf } from './entries.ts';
import { type AuditCursor, countEntries, searchEntries } from './search.ts';

/** The audit log, or what filters leave of it, as a file. */
export async function exportEntries(
  services: Services,
  actor: Actor,
  { format, ...asked }: AuditFilter & { format: AuditFormat },
): Promise<FileAnswer> {
  const { orgId } = actor;
  const now = new Date().toISOString();
  // What comes later, the entry of this export first of all, is not part of it.
  const filter = { ...asked, to: asked.to !== undefined && asked.to < now ? asked.to : now };
  const { fileOf, total } = await services.database.withOrg(orgId, async (tx) => {
    const total = await countEntries(tx, orgId, filter);
    const { search, ...plain } = asked;
    const fileOf = await recordExport(tx, services, actor, {
      of: 'audit-log',
      format,
      entry: {
        action: 'audit.exported',
        subject: { kind: 'audit_log', id: orgId },
        data: { format, entries: total, ...narrowedBy(plain) },
        // Whoever is looked for is looked for by name.
        ...(search !== '' && { personal: { search } }),
      },
    });
    return { fileOf, total };
  });
  return fileOf(exportTextOf(format, columns, batches(services, orgId, filter)), total);
}

/** The filters that narrow something, as an entry may hold them. */
const narrowedBy = (filter: Omit<AuditFilter, 'search'>): { [name: string]: CanonicalValue } =>
  Object.fromEntries(
    Object.entries(filter).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as { [name: string]: CanonicalValue };

const batch = 1000;

// Each batch is a transaction of its own: a slow reader holds no connection, and an append-only log has no older version.
async function* batches({ database }: Services, orgId: string, filter: AuditFilter): AsyncGenerator<AuditLine[]> {
  for (let from: AuditCursor | undefined, begun = false; !begun || from !== undefined; begun = true) {
    const found: { lines: AuditLine[]; stoppedAt: AuditCursor | undefined } = await database.withOrg(
      orgId,
      async (tx) => {
        const { rows, stoppedAt } = await searchEntries(tx, orgId, filter, { from, direction: 'older', most: batch });
        return { lines: await detailsOf(tx, orgId, rows), stoppedAt };
      },
    );
    if (found.lines.length > 0) yield found.lines;
    from = found.stoppedAt;
  }
}
