import { randomBytes } from 'node:crypto';
import { normalizeInvitationAddress } from '@sightline/contract/core/addresses.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import {
  INVITATION_VALIDITY_DAYS,
  type InviteResult,
  MIN_RESEND_INTERVAL_SECONDS,
} from '@sightline/contract/organization/invitations.ts';
import { memberActionRefusalTexts } from '@sightline/contract/organization/member-actions.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Archived, Forbidden, Refusal } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { lockActionScene } from '../members/queries.ts';
import { checkRoleAssignable } from '../roles/queries.ts';

/** Maximum invitations of one organization per day, and to one address per day, to prevent spam. */
const mostADay = 2000;
const mostToOneADay = 10;

/**
 * Invites addresses with a role. Returns the invited addresses, and the skipped ones with reasons. An open invitation
 * of an address is replaced, which invalidates its link. Throws 429 if the organization reached its daily limit.
 */
export async function inviteAddresses(
  services: Services,
  actor: Actor,
  { emails, roleID }: { emails: readonly string[]; roleID: RoleId },
): Promise<InviteResult> {
  await checkRoleAssignable(services, actor, 'roleID', roleID);
  const { valid, skipped } = addressesOf(emails);
  return services.database.withOrg(actor.orgId, async (tx) => {
    const scene = await lockActionScene(tx, actor);
    if (scene.actor.roleId !== 'rol_owner') throw Forbidden(memberActionRefusalTexts.not_owner);
    if (scene.archived) throw Archived();
    await checkDay(tx, actor.orgId, valid.length);
    const known = await knownAddresses(tx, actor.orgId, valid);
    const result: InviteResult = { invited: [], skipped };
    for (const email of valid) {
      const { member, wait, open } = known.get(email) ?? unknownInvitee;
      if (member) result.skipped.push({ email, reason: 'already_member' });
      else if (wait > 0) result.skipped.push({ email, reason: 'already_pending', retryAfter: wait });
      else result.invited.push({ email, invitation_id: await insert(services, tx, actor, { email, roleID, open }) });
    }
    if (result.invited.length > 0)
      tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgMembers', {}));
    return result;
  });
}

function addressesOf(emails: readonly string[]): { valid: string[]; skipped: InviteResult['skipped'] } {
  const valid = new Set<string>();
  const skipped: InviteResult['skipped'] = [];
  for (const given of emails) {
    const email = normalizeInvitationAddress(given);
    if (email === undefined) skipped.push({ email: given, reason: 'invalid' });
    else valid.add(email);
  }
  return { valid: [...valid], skipped };
}

async function checkDay({ db }: Tx, orgId: string, more: number): Promise<void> {
  const { sent } = await db
    .selectFrom('invitation')
    .where('org_id', '=', orgId)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .select(({ fn }) => fn.countAll<number>().as('sent'))
    .executeTakeFirstOrThrow();
  if (Number(sent) + more <= mostADay) return;
  const extra = { cause: `${sent} invitations were sent in the last 24 hours. The limit is ${mostADay}.` };
  throw new Refusal('rate_limited', 'Too many invitations in one day. Try again tomorrow.', extra, {
    retryAfter: 3600,
  });
}

interface InviteeState {
  member: boolean;
  /** Seconds until another email to the address is allowed. */
  wait: number;
  /** The open invitation, which a new one replaces. */
  open: { id: string; roleId: RoleId } | undefined;
}
const unknownInvitee: InviteeState = { member: false, wait: 0, open: undefined };

async function knownAddresses(tx: Tx, orgId: string, emails: readonly string[]): Promise<Map<string, InviteeState>> {
  const rows = await tx.query<{
    email: string;
    member: boolean;
    wait: number | null;
    today: number;
    open_id: string | null;
    open_role: RoleId | null;
  }>({
    name: 'invitations.known',
    text: `select e.email, m.account_id is not null as member, i.wait, coalesce(i.today, 0)::int as today, o.id as open_id,
             o.role_id as open_role
           from unnest($2::text[]) as e(email)
           left join account a on lower(a.email) = e.email
           left join member m on m.org_id = $1 and m.account_id = a.id
           left join lateral (
             select ceil($3 - extract(epoch from now() - max(created_at) filter (where declined_at is null)))::int as wait,
               count(*) as today
             from invitation where org_id = $1 and email = e.email and created_at > now() - interval '1 day'
           ) i on true
           left join invitation o on o.org_id = $1 and o.email = e.email
             and o.accepted_at is null and o.declined_at is null and o.revoked_at is null`,
    values: [orgId, emails, MIN_RESEND_INTERVAL_SECONDS],
  });
  return new Map(
    rows.map(({ email, member, wait, today, open_id: id, open_role: roleId }) => [
      email,
      {
        member,
        wait: today >= mostToOneADay ? 3600 : Math.max(0, wait ?? 0),
        open: id === null || roleId === null ? undefined : { id, roleId },
      },
    ]),
  );
}

/** Inserts an invitation. The email job creates its secret, so that the secret is never queued. */
async function insert(
  services: Services,
  tx: Tx,
  actor: Actor,
  { email, roleID, open }: { email: string; roleID: RoleId; open: InviteeState['open'] },
): Promise<string> {
  const { orgId } = actor;
  if (open) await revokeReplaced(tx, orgId, open.id);
  const id = newId();
  await tx.db
    .insertInto('invitation')
    .values({
      org_id: orgId,
      id,
      email,
      role_id: roleID,
      token_hash: randomBytes(32),
      invited_by: actor.accountId,
      expires_at: sql<Date>`now() + make_interval(days => ${INVITATION_VALIDITY_DAYS})`,
    })
    .execute();
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action: open ? 'invitation.resent' : 'invitation.sent',
      subject: { kind: 'invitation', id },
      data: open
        ? { replaces: open.id, before: { role: open.roleId }, after: { role: roleID }, role: roleID }
        : { role: roleID },
      personal: { email },
    },
  });
  await services.jobs.enqueue(tx, 'invitation.mail', { orgId, invitationId: id }, { key: id });
  return id;
}

const revokeReplaced = ({ db }: Tx, orgId: string, id: string) =>
  db
    .updateTable('invitation')
    .set({ revoked_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
