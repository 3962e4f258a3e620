import type { RoomRequest } from '@sightline/contract/compliance/auditor-portals.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import { sql } from 'kysely';
import { countAttempts, limits, networkOf } from '#core/attempts.ts';
import { record } from '#core/audit.ts';
import { cookieOf, newVisitToken, orgOfLink, type RoomActor } from '#core/auditor-portals.ts';
import { isSecure } from '#core/cookies.ts';
import { NotFound, tooManyTries } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { secretHash } from '#core/org-secrets.ts';
import type { CookieAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';

const longestVisitMs = 24 * 60 * 60_000;

/**
 * Exchanges the token of a link for the cookie of a visit, which ends with the room and after a day at most. Throws the same 404 for a
 * wrong token and for a room that is closed, revoked, or of an archived organization, and 429.
 */
export async function enter(
  services: Services,
  caller: { requestId: string; address: string },
  token: string,
): Promise<CookieAnswer<{ roomId: string }>> {
  const { database, people, config } = services;
  const wait = await database.global((tx) => countAttempts(tx, [[limits.roomByNetwork, networkOf(caller.address)]]));
  if (wait > 0) throw tooManyTries(wait);
  const orgId = orgOfLink(token);
  if (orgId === undefined) throw NotFound();
  return database.withOrg(orgId, async (tx) => {
    const [room] = await tx.query<RoomActor['room']>({
      name: 'rooms.enter',
      text: `select r.id, r.name, r.redaction, r.closes_at as "closesAt", r.person_id as "personId", r.auditor_email as email
             from auditor_room r join organization o on o.id = r.org_id
             where r.org_id = $1 and (r.token_hash = $2 or r.mailed_hash = $2)
               and r.closes_at > now() and r.revoked_at is null and o.archived_at is null
             for update of r`,
      values: [orgId, secretHash(token)],
    });
    if (!room) throw NotFound();
    const { secret, hash } = newVisitToken(orgId);
    const endsAt = new Date(Math.min(room.closesAt.getTime(), Date.now() + longestVisitMs));
    await tx.db
      .insertInto('auditor_visit')
      .values({ org_id: orgId, hash, room_id: room.id, ends_at: endsAt })
      .execute();
    await record(tx, people, orgId, doerOf({ room, requestId: caller.requestId }), {
      action: 'room.entered',
      subject: { kind: 'room', id: room.id },
      data: { name: room.name },
      personal: personalOf(room),
    });
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgEvidence', { roomId: room.id }));
    const secure = isSecure(config);
    return { setCookie: cookieOf(secret, { roomId: room.id, endsAt, secure }), body: { roomId: room.id } };
  });
}

type VisitData = Parameters<typeof record>[4]['data'];

/**
 * Writes down what is looked at before anything of it is shown: an entry of the ledger in the room's name. Throws 404 where the room was
 * closed or revoked in the meantime or does not hold the snapshot, and 429 for more than a reader can look at.
 */
export async function noteView(
  services: Services,
  tx: Tx,
  { room, orgId, requestId }: RoomActor,
  action: Extract<AuditAction, 'room.viewed' | 'room.sampled' | 'room.downloaded'>,
  { snapshot, ...seen }: { snapshot?: string } & NonNullable<VisitData>,
): Promise<void> {
  const wait = await countAttempts(tx, [[limits.roomViews, room.id]]);
  if (wait > 0) throw tooManyTries(wait);
  const [row] = await tx.query({
    name: 'rooms.view',
    text: `update auditor_room set views = views + 1, last_view_at = now()
           where org_id = $1 and id = $2 and closes_at > now() and revoked_at is null
             and ($3::uuid is null or exists (
               select from auditor_room_snapshot i where i.org_id = $1 and i.room_id = $2 and i.snapshot_id = $3))
           returning id`,
    values: [orgId, room.id, snapshot ?? null],
  });
  if (!row) throw NotFound();
  await record(tx, services.people, orgId, doerOf({ room, requestId }), {
    action,
    subject: { kind: 'room', id: room.id },
    data: { name: room.name, ...(snapshot !== undefined && { snapshot }), ...seen },
    personal: personalOf(room),
  });
  tx.afterCommit(() => services.realtime.tell(orgId, 'orgEvidence', { roomId: room.id }));
}

/** Puts down what the auditor asks for. Throws 429 for more than fifty a day. */
export function ask(
  services: Services,
  { room, orgId, requestId }: RoomActor,
  { control, text }: { control: ControlId | null; text: string },
): Promise<RoomRequest> {
  return services.database.withOrg(orgId, async (tx) => {
    const wait = await countAttempts(tx, [[limits.roomRequests, room.id]]);
    if (wait > 0) throw tooManyTries(wait);
    const id = newId();
    const { asked_at: askedAt } = await tx.db
      .insertInto('auditor_request')
      .values({ org_id: orgId, room_id: room.id, id, control_id: control, text })
      .returning(sql<Date>`asked_at`.as('asked_at'))
      .executeTakeFirstOrThrow();
    await record(tx, services.people, orgId, doerOf({ room, requestId }), {
      action: 'room.requested',
      subject: { kind: 'room', id: room.id },
      data: { name: room.name, request: id, ...(control !== null && { control }) },
      personal: { ...personalOf(room), text },
    });
    const { name: auditor } = await tx.db
      .selectFrom('auditor_room')
      .select('auditor_name as name')
      .where('org_id', '=', orgId)
      .where('id', '=', room.id)
      .executeTakeFirstOrThrow();
    // What was asked stays in the room: what people are told goes into mails, and to other programs.
    const asked = { id: room.id, name: room.name };
    await raise(services, tx, orgId, doerOf({ room, requestId }), {
      type: 'room.requested',
      room: asked,
      auditor,
      control,
    });
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgEvidence', { roomId: room.id }));
    return { id, control, text, askedAt: askedAt.toISOString(), answer: null, answeredAt: null };
  });
}

const doerOf = ({ room, requestId }: Pick<RoomActor, 'room' | 'requestId'>) =>
  ({ auditor: true, personId: room.personId, requestId }) as const;

/** In the ledger a commitment under the auditor's own key. */
const personalOf = ({ email }: RoomActor['room']) => (email === null ? {} : { email });
