import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type Attachment,
  type AttachmentPlace,
  MAX_ATTACHMENT_BYTES,
  MAX_PORTAL_ATTACHMENT_BYTES,
} from '@sightline/contract/compliance/portal-attachments.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { Conflict, Invalid, NotFound, TooLarge } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { lockPortal } from './commands.ts';
import { actorOf, auditorPersonalDataOf, countWriting, lockOpenPortal, recordView } from './portal-visits.ts';
import { findPortal } from './queries.ts';
import { findSample, requirePosition } from './sample-rows.ts';

interface AttachedFile {
  position: number | null;
  requestId: string | null;
  file: Attachment;
}

interface AttachmentRow extends Record<string, unknown> {
  id: string;
  requestId: string | null;
  position: number | null;
  side: Attachment['side'];
  name: string;
  size: number;
  sha256: Buffer;
  attachedAt: Date;
}

/** Attaches a file of the organization. Throws 404 for an unknown place, and 409 for a closed portal or a full one. */
export async function attachForOrganization(
  services: Services,
  actor: Actor,
  { portalId, place, file }: { portalId: string; place: AttachmentPlace; file: Readable },
): Promise<Attachment> {
  const { orgId } = actor;
  await services.database.withOrg(orgId, (tx) => findPortal(tx, orgId, portalId));
  const content = await readFile(file);
  return services.database.withOrg(orgId, async (tx) => {
    // Simultaneous uploads count each other.
    await lockPortal(tx, orgId, portalId);
    const { name, state } = await findPortal(tx, orgId, portalId);
    if (state !== 'open') throw Conflict('This portal is not active. The auditor could not see the file.');
    const attached = await insertAttachment(tx, { orgId, portalId, place, content, attachedBy: actor.accountId });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'portal.file_attached',
        subject: { kind: 'portal', id: portalId },
        data: { name, ...placeData(place, attached) },
        personal: { file: attached.name },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId }));
    return attached;
  });
}

/** Attaches a file of the auditor. Throws as `attachForOrganization`, with 404 for a closed portal, and 429. */
export async function attachForAuditor(
  services: Services,
  actor: PortalActor,
  { place, file }: { place: AttachmentPlace; file: Readable },
): Promise<Attachment> {
  const { orgId, portal, requestId } = actor;
  await services.database.withOrg(orgId, (tx) => countWriting(tx, portal.id));
  const content = await readFile(file);
  return services.database.withOrg(orgId, async (tx) => {
    await lockOpenPortal(tx, actor);
    const attached = await insertAttachment(tx, { orgId, portalId: portal.id, place, content, attachedBy: null });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: actorOf({ portal, requestId }),
      entry: {
        action: 'portal.file_attached',
        subject: { kind: 'portal', id: portal.id },
        data: { name: portal.name, ...placeData(place, attached) },
        personal: { ...auditorPersonalDataOf(portal), file: attached.name },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: portal.id }));
    return attached;
  });
}

const placeData = ({ request, sample, position }: AttachmentPlace, { id, size, sha256 }: Attachment) => ({
  file: id,
  size,
  sha256,
  ...(request !== undefined && { request }),
  ...(sample !== undefined && { sample, position: position ?? -1 }),
});

/** Reads an uploaded file. Throws 413 above the maximum size, and 400 for an empty one. */
export async function readFile(file: Readable, maxBytes = MAX_ATTACHMENT_BYTES): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of file) {
    size += (piece as Buffer).length;
    if (size > maxBytes) throw TooLarge(maxBytes);
    pieces.push(piece as Buffer);
  }
  if (size === 0) throw Invalid('file', 'must not be empty');
  return Buffer.concat(pieces);
}

interface NewAttachment {
  orgId: string;
  portalId: string;
  place: AttachmentPlace;
  content: Buffer;
  /** Null: the auditor. */
  attachedBy: string | null;
}

async function insertAttachment(
  tx: Tx,
  { orgId, portalId, place, content, attachedBy }: NewAttachment,
): Promise<Attachment> {
  const { request, sample, position = -1, name } = place;
  if ((request === undefined) === (sample === undefined)) throw Invalid('request', 'or a sample is needed, not both');
  if (sample !== undefined) requirePosition(await findSample(tx, orgId, portalId, sample), position);
  if (request !== undefined) await requireRequest(tx, { orgId, portalId, request });
  const [{ used } = { used: 0 }] = await tx.query<{ used: number }>({
    name: 'portals.attached-bytes',
    text: 'select coalesce(sum(size), 0)::int as used from portal_attachment where org_id = $1 and portal_id = $2',
    values: [orgId, portalId],
  });
  if (used + content.length > MAX_PORTAL_ATTACHMENT_BYTES)
    throw Conflict(`The files of a portal have at most ${MAX_PORTAL_ATTACHMENT_BYTES / 1024 / 1024} MB.`);
  const id = newId();
  const sha256 = createHash('sha256').update(content).digest();
  const side = attachedBy === null ? 'auditor' : 'organization';
  const { attached_at: attachedAt } = await tx.db
    .insertInto('portal_attachment')
    .values({
      org_id: orgId,
      portal_id: portalId,
      id,
      request_id: request ?? null,
      sample_id: sample ?? null,
      position: sample === undefined ? null : position,
      side,
      name,
      size: content.length,
      sha256,
      content,
      attached_by: attachedBy,
    })
    .returning(sql<Date>`attached_at`.as('attached_at'))
    .executeTakeFirstOrThrow();
  return { id, name, size: content.length, sha256: sha256.toString('hex'), side, attachedAt: attachedAt.toISOString() };
}

async function requireRequest(
  tx: Tx,
  { orgId, portalId, request }: { orgId: string; portalId: string; request: string },
): Promise<void> {
  const [row] = await tx.query({
    name: 'portals.has-request',
    text: 'select from evidence_request where org_id = $1 and portal_id = $2 and id = $3',
    values: [orgId, portalId, request],
  });
  if (!row) throw NotFound('Request');
}

/** Returns a file for the organization, except those that the auditor attached to samples. Throws 404. */
export const readAttachment = (
  { database }: Services,
  orgId: string,
  { portalId, attachmentId }: { portalId: string; attachmentId: string },
): Promise<FileAnswer> =>
  database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<StoredFile>({
      name: 'portals.file-of-organization',
      text: `select name, content from portal_attachment where org_id = $1 and portal_id = $2 and id = $3
               and (side = 'organization' or request_id is not null)`,
      values: [orgId, portalId, attachmentId],
    });
    return fileOf(row);
  });

/** Returns a file for the auditor. Records the download. Throws 404. */
export const downloadAttachment = (services: Services, actor: PortalActor, attachmentId: string): Promise<FileAnswer> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await recordView(services, tx, { actor, action: 'portal.downloaded', viewDetails: { file: attachmentId } });
    const [row] = await tx.query<StoredFile>({
      name: 'portals.file-of-auditor',
      text: 'select name, content from portal_attachment where org_id = $1 and portal_id = $2 and id = $3',
      values: [actor.orgId, actor.portal.id, attachmentId],
    });
    return fileOf(row);
  });

type StoredFile = Record<string, unknown> & { name: string; content: Buffer };

/** The media type reveals nothing about the content, so that no browser displays it. */
function fileOf(row: StoredFile | undefined): FileAnswer {
  if (!row) throw NotFound();
  return {
    file: Readable.from([row.content]),
    type: 'application/octet-stream',
    name: row.name.replace(/[^A-Za-z0-9._ ()-]/g, '_'),
    total: undefined,
  };
}

const attachmentsSql = `select id, request_id as "requestId", position, side, name, size, sha256, attached_at as "attachedAt"
  from portal_attachment where org_id = $1 and portal_id = $2`;

/** The files of a sample and its rows, oldest first. */
export async function attachmentsOfSample(
  tx: Tx,
  orgId: string,
  { portalId, sampleId }: { portalId: string; sampleId: string },
): Promise<AttachedFile[]> {
  const rows = await tx.query<AttachmentRow>({
    name: 'portals.files-of-sample',
    text: `${attachmentsSql} and sample_id = $3 order by attached_at, id`,
    values: [orgId, portalId, sampleId],
  });
  return rows.map(attachedFileOf);
}

/** The files of the requests of a portal, oldest first. */
export async function attachmentsOfRequests(tx: Tx, orgId: string, portalId: string): Promise<AttachedFile[]> {
  const rows = await tx.query<AttachmentRow>({
    name: 'portals.files-of-requests',
    text: `${attachmentsSql} and request_id is not null order by attached_at, id`,
    values: [orgId, portalId],
  });
  return rows.map(attachedFileOf);
}

const attachedFileOf = ({ requestId, position, sha256, attachedAt, ...row }: AttachmentRow): AttachedFile => ({
  requestId,
  position,
  file: {
    id: row.id,
    name: row.name,
    size: row.size,
    side: row.side,
    sha256: sha256.toString('hex'),
    attachedAt: attachedAt.toISOString(),
  },
});
