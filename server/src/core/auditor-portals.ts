import type { FastifyRequest } from 'fastify';
import type { Database } from '#database/database.ts';
import { isSecure, secureCookie } from './cookies.ts';
import { NotFound } from './errors.ts';
import { newOrgSecret, orgOfSecret, type SecretKind, secretHash } from './org-secrets.ts';

/** Somebody whom a link let into an auditor room: no member of anything. */
export interface RoomActor {
  room: {
    id: string;
    name: string;
    /** `people`: nothing that opens what is committed about people is shown. */
    redaction: 'none' | 'people';
    closesAt: Date;
    /** As the organization knows them; null where no address was given. */
    personId: string | null;
    email: string | null;
  };
  orgId: string;
  requestId: string;
}

export const roomCookie = (secure: boolean): string => secureCookie('sightline_room', secure);

const link: SecretKind = { prefix: 'slroom_', bytes: 32 };
const visit: SecretKind = { prefix: 'slvisit_', bytes: 32 };

/** The secrets of a link and of a visit, each with the hash that is kept of it. */
export const newLinkToken = (orgId: string) => newOrgSecret(link, orgId);
export const newVisitToken = (orgId: string) => newOrgSecret(visit, orgId);
export const orgOfLink = (token: string): string | undefined => orgOfSecret(link, token);

/** The cookie of a visit: for the paths of its room alone, for no script and no other site. */
export function cookieOf(token: string, { roomId, endsAt, secure }: { roomId: string; endsAt: Date; secure: boolean }) {
  const seconds = Math.max(0, Math.floor((endsAt.getTime() - Date.now()) / 1000));
  const attributes = [`Path=/api/v2/room/${roomId}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [`${roomCookie(secure)}=${token}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/**
 * Who is in the room that the path of a request names. Throws one and the same 404 for no cookie, a wrong one, one of another room, and
 * a room that is closed or revoked, or whose organization is archived. Asks the database each time, so that closing acts at once.
 */
export async function roomActor(
  { config, database }: { config: { PUBLIC_URL: string }; database: Database },
  { id, headers, params }: Pick<FastifyRequest, 'id' | 'headers' | 'params'>,
): Promise<RoomActor> {
  const token = tokenOf(headers.cookie, roomCookie(isSecure(config)));
  const orgId = token === undefined ? undefined : orgOfSecret(visit, token);
  const { roomId } = params as { roomId?: string };
  if (token === undefined || orgId === undefined || roomId === undefined || !uuid.test(roomId)) throw NotFound();
  const [room] = await database.withOrg(orgId, (tx) =>
    tx.query<RoomActor['room']>({
      name: 'rooms.visitor',
      text: `select r.id, r.name, r.redaction, r.closes_at as "closesAt", r.person_id as "personId", r.auditor_email as email
             from auditor_visit v
             join auditor_room r on r.org_id = v.org_id and r.id = v.room_id
             join organization o on o.id = r.org_id
             where v.org_id = $1 and v.hash = $2 and v.room_id = $3 and v.ends_at > now()
               and r.closes_at > now() and r.revoked_at is null and o.archived_at is null`,
      values: [orgId, secretHash(token), roomId],
    }),
  );
  if (!room) throw NotFound();
  return { room, orgId, requestId: id };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const tokenOf = (cookies = '', name: string): string | undefined =>
  cookies
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);
