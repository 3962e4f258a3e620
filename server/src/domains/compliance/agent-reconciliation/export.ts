import type { ReconciledAgent, ReconciledAgentsQuery } from '@sightline/contract/compliance/agent-reconciliation.ts';
import type { Actor } from '#core/actor.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { listAgentsOfChanges } from './queries.ts';

type Filter = Omit<ReconciledAgentsQuery, 'page' | 'perPage'>;

/** Exports all matching agents of changes as CSV, and records the export. */
export async function exportAgentsOfChanges(services: Services, actor: Actor, filter: Filter): Promise<FileAnswer> {
  const { orgId } = actor;
  const { fileOf, total } = await services.database.withOrg(orgId, async (tx) => {
    const { total } = await listAgentsOfChanges(tx, actor, { ...filter, page: 1, perPage: 1 });
    const given = Object.entries(filter).filter(([, value]) => value !== undefined && value.length > 0);
    const fileOf = await recordExport(tx, services, actor, {
      of: 'agent-reconciliation',
      format: 'csv',
      entry: {
        action: 'agent_reconciliation.exported',
        subject: { kind: 'organization', id: orgId },
        data: { rows: total, ...Object.fromEntries(given) },
      },
    });
    return { fileOf, total };
  });
  const columns = columnsWith((id) => `${services.config.PUBLIC_URL}/changes/${id}`);
  return fileOf(exportTextOf('csv', columns, batches(services, actor, filter, total)), total);
}

const BATCH_SIZE = 500;

// Each batch is its own transaction, so that a slow reader holds no connection.
async function* batches(
  { database }: Services,
  actor: Actor,
  filter: Filter,
  total: number,
): AsyncGenerator<ReconciledAgent[]> {
  for (let page = 1; (page - 1) * BATCH_SIZE < total; page += 1) {
    const { rows } = await database.withOrg(actor.orgId, (tx) =>
      listAgentsOfChanges(tx, actor, { ...filter, page, perPage: BATCH_SIZE }),
    );
    yield rows;
  }
}

const columnsWith = (linkOf: (id: string) => string): ExportColumns<ReconciledAgent> => ({
  repository: ({ change }) => change.repository.fullName,
  branch: ({ change }) => change.branch,
  number: ({ change }) => change.number?.toString() ?? '',
  title: ({ change }) => change.title ?? '',
  'merged at': ({ change }) => change.mergedAt,
  commit: ({ change }) => change.mergeSha ?? '',
  agent: ({ agent }) => agent ?? '',
  status: ({ status }) => status,
  'missing evidence': ({ missing }) => missing ?? '',
  models: ({ models }) => models.join(', '),
  people: ({ people }) => people.map(({ name }) => name ?? 'Unknown person').join(', '),
  'joined by': ({ joins }) => joins.join(', '),
  confidence: ({ confidence }) => confidence ?? '',
  sessions: ({ sessions }) => String(sessions),
  'sessions without cost': ({ sessionsWithoutCost }) => String(sessionsWithoutCost),
  'cost in US dollars': ({ cost }) => cost?.toString() ?? '',
  id: ({ change }) => change.id,
  link: ({ change }) => linkOf(change.id),
});
