import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { zipWriter } from '@sightline/evidence/bundle/zip-write.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { openBundleFor, readBundle } from '../snapshots/commands.ts';
import { assertionsOf } from './assertions.ts';
import { listRequests } from './evidence-requests.ts';
import { redactionOfPortal } from './opened-bundle.ts';
import { recordView } from './portal-visits.ts';
import { findPortal } from './queries.ts';

/** A file of an archive, which is read when the archive reaches it. */
interface ArchiveFile {
  path: string;
  read: () => Promise<Uint8Array>;
}

/** Who downloads: the organization gets no workpapers and no files that the auditor attached to samples. */
interface ArchiveScope {
  orgId: string;
  portalId: string;
  isAuditor: boolean;
}

/** Returns everything of a portal that members may see, and records the download. Throws 404 and 409. */
export async function archiveForOrganization(services: Services, actor: Actor, portalId: string): Promise<FileAnswer> {
  const { orgId } = actor;
  await services.database.withOrg(orgId, async (tx) => {
    const { name } = await findPortal(tx, orgId, portalId);
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: { action: 'portal.archived', subject: { kind: 'portal', id: portalId }, data: { name } },
    });
  });
  return archiveOf(services, { orgId, portalId, isAuditor: false });
}

/** Returns everything of a portal for its auditor, and records the download. */
export async function archiveForAuditor(services: Services, actor: PortalActor): Promise<FileAnswer> {
  const { orgId, portal } = actor;
  await services.database.withOrg(orgId, (tx) =>
    recordView(services, tx, { actor, action: 'portal.downloaded', viewDetails: { archive: true } }),
  );
  return archiveOf(services, { orgId, portalId: portal.id, isAuditor: true });
}

async function archiveOf(services: Services, scope: ArchiveScope): Promise<FileAnswer> {
  const files = await filesOf(services, scope);
  return {
    file: Readable.from(packed(files), { objectMode: false }),
    type: 'application/zip',
    name: `auditor-portal-${scope.portalId}.zip`,
    total: undefined,
  };
}

const deflate = promisify(deflateRaw);

/** Packs one file at a time. The last file lists the SHA-256 of all others. */
async function* packed(files: readonly ArchiveFile[]): AsyncGenerator<Uint8Array> {
  const zip = zipWriter();
  const listed: { path: string; size: number; sha256: string }[] = [];
  for (const { path, read } of files) {
    const content = await read();
    listed.push({ path, size: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    const bytes = new Uint8Array(await deflate(content, { level: 1 }));
    yield* zip.add({ path, method: 8, crc: crc32(content), size: content.length, bytes });
  }
  yield* zip.end('manifest.json', new TextEncoder().encode(JSON.stringify({ files: listed }, null, 1)));
}

/** The files of an archive in the order of their paths. */
async function filesOf(services: Services, scope: ArchiveScope): Promise<ArchiveFile[]> {
  const { orgId, portalId, isAuditor } = scope;
  const { database } = services;
  const { portal, assertions, requests, samples, attachments, results } = await database.withOrg(orgId, async (tx) => ({
    portal: await findPortal(tx, orgId, portalId),
    assertions: await assertionsOf(tx, orgId, portalId),
    requests: await listRequests(tx, orgId, portalId),
    samples: await samplesOf(tx, scope),
    attachments: await attachmentsOf(tx, scope),
    results: await resultIdsOf(tx, scope),
  }));
  const bundles = portal.snapshots.map(({ id }) => ({
    path: `bundles/${id}.zip`,
    read: async () => readBundle(await openBundleFor(services, orgId, id, redactionOfPortal(portal))),
  }));
  const json = (path: string, value: object): ArchiveFile => ({
    path,
    read: () => Promise.resolve(new TextEncoder().encode(JSON.stringify(value, null, 1))),
  });
  const stored = (path: string, table: 'portal_attachment' | 'auditor_result', id: string): ArchiveFile => ({
    path,
    read: () => database.withOrg(orgId, (tx) => contentOf(tx, scope, { table, id })),
  });
  return [
    ...attachments.map(({ id, name }) => stored(`attachments/${id}.${endingOf(name)}`, 'portal_attachment', id)),
    ...bundles,
    json('assertions.json', assertions),
    json('attachments.json', attachments),
    json('portal.json', { ...portal, isAuditor }),
    json('requests.json', requests),
    ...results.map(({ id }) => stored(`results/${id}.json`, 'auditor_result', id)),
    json('samples.json', samples),
  ].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** The samples with their rows; for the auditor with every version of the workpapers. */
const samplesOf = (tx: Tx, { orgId, portalId, isAuditor }: ArchiveScope): Promise<Record<string, unknown>[]> =>
  tx.query<Record<string, unknown>>({
    name: 'portals.archived-samples',
    text: `select a.id, a.name, a.snapshot_id as snapshot, a.control_id as control, a.method, a.seed, a.reason, a.population, a.positions,
             a.created_at as "createdAt",
             case when $3 then (
               select coalesce(jsonb_agg(jsonb_build_object('position', w.position, 'version', w.version, 'conclusion', w.conclusion,
                 'note', w.note, 'salt', encode(w.salt, 'hex'), 'writtenAt', w.written_at) order by w.position, w.version), '[]')
               from audit_workpaper w where w.org_id = a.org_id and w.portal_id = a.portal_id and w.sample_id = a.id) end as workpapers
           from audit_sample a where a.org_id = $1 and a.portal_id = $2 order by a.created_at, a.id`,
    values: [orgId, portalId, isAuditor],
  });

const attachmentsOf = (tx: Tx, { orgId, portalId, isAuditor }: ArchiveScope): Promise<ArchivedAttachment[]> =>
  tx.query<ArchivedAttachment>({
    name: 'portals.archived-files',
    text: `select id, name, side, request_id as request, sample_id as sample, position, size, encode(sha256, 'hex') as sha256,
             attached_at as "attachedAt"
           from portal_attachment where org_id = $1 and portal_id = $2 and ($3 or side = 'organization' or request_id is not null)
           order by attached_at, id`,
    values: [orgId, portalId, isAuditor],
  });
type ArchivedAttachment = Record<string, unknown> & { id: string; name: string };

const resultIdsOf = (tx: Tx, { orgId, portalId }: ArchiveScope): Promise<{ id: string }[]> =>
  tx.query<{ id: string }>({
    name: 'portals.archived-results',
    text: 'select id from auditor_result where org_id = $1 and portal_id = $2',
    values: [orgId, portalId],
  });

async function contentOf(
  tx: Tx,
  { orgId, portalId }: ArchiveScope,
  { table, id }: { table: 'portal_attachment' | 'auditor_result'; id: string },
): Promise<Uint8Array> {
  const column = table === 'portal_attachment' ? 'content' : 'envelope';
  const [row] = await tx.query<{ content: Buffer }>({
    name: `portals.archived-${table}`,
    text: `select ${column} as content from ${table} where org_id = $1 and portal_id = $2 and id = $3`,
    values: [orgId, portalId, id],
  });
  if (!row) throw new Error(`The file ${id} disappeared`);
  return new Uint8Array(row.content);
}
