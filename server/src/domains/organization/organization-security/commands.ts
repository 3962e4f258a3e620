import { isSamlConnection, samlConnectionOf } from '@sightline/contract/identity/saml.ts';
import type {
  OrganizationSecurity,
  updateOrganizationSecurity,
} from '@sightline/contract/organization/organization-security.ts';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { acceptsLogin, findSessionState, isInNetworks } from '#core/session-policy.ts';
import type { Tx } from '#database/database.ts';
import { endGrants } from '../../identity/extensions/commands.ts';
import { findUpstream } from '../../identity/saml/queries.ts';
import { findOwnFactors, hasAnyFactor } from '../../identity/second-factors/queries.ts';
import { listBreakGlassOwners, listVerifiedDomains } from '../../identity/sign-in-policy/queries.ts';
import { findOrganizationSecurity, findSecurityRules, type SecurityRules } from './queries.ts';

type SecurityUpdate = z.output<typeof updateOrganizationSecurity.body>;

/** Changes the security settings of the organization; throws 409 if they would lock the actor out. */
export const updateSecurityRules = (
  services: Services,
  actor: Actor,
  change: SecurityUpdate,
): Promise<OrganizationSecurity> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    const before = await findSecurityRules(tx, actor.orgId);
    const after = { ...before, ...definedRules(change) };
    const ownersBefore = idsOf(await listBreakGlassOwners(tx, actor.orgId));
    if (change.breakGlassOwners) await setBreakGlassOwners(tx, actor.orgId, change.breakGlassOwners);
    const ownersAfter = idsOf(await listBreakGlassOwners(tx, actor.orgId));
    await refuseShutOut(services, tx, actor, { change, after });
    await refuseBadSingleSignOn(services, tx, actor, { securityRules: after, owners: ownersAfter });
    await save(tx, actor.orgId, after);
    await recordChanges(services, tx, actor, { before, after });
    await recordSingleSignOn(services, tx, actor, {
      before: { connection: before.ssoConnection, owners: ownersBefore },
      after: { connection: after.ssoConnection, owners: ownersAfter },
    });
    // An update without changes disconnects no member.
    const isChanged = JSON.stringify([before, ownersBefore]) !== JSON.stringify([after, ownersAfter]);
    if (isChanged) tx.afterCommit(() => applyNow(services, actor.orgId));
    return findOrganizationSecurity(tx, actor);
  });

/** Makes every server check the members again. */
function applyNow({ memberships, realtime }: Services, orgId: string): void {
  memberships.forgetOrganization(orgId);
  realtime.cutOrganization(orgId);
  realtime.notifyOrganization(orgId, 'orgSettings', {});
}

const idsOf = (people: readonly { id: string }[]): string[] => people.map(({ id }) => id);

const definedRules = ({ allowedNetworks, breakGlassOwners: _, ...rest }: SecurityUpdate): Partial<SecurityRules> => ({
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  ...(allowedNetworks && { allowedNetworks: [...new Set(allowedNetworks.map(normalNetwork))] }),
});

/** Normalizes an address or network to CIDR with its host bits cleared. Throws 400 if invalid. */
function normalNetwork(network: string, index: number): string {
  const isCidr = network.includes('/');
  if (isCidr ? !ipaddr.isValidCIDR(network) : !ipaddr.isValid(network))
    throw Invalid(`allowedNetworks.${index}`, 'is not an IP address or network, such as 203.0.113.0/24');
  const [base, bits] = isCidr ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), -1];
  if (base.kind() === 'ipv4') {
    const length = bits < 0 ? 32 : bits;
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${base}/${length}`)}/${length}`;
  }
  const length = bits < 0 ? 128 : bits;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${base}/${length}`)}/${length}`;
}

async function refuseShutOut(
  services: Services,
  tx: Tx,
  actor: Actor,
  { change, after }: { change: SecurityUpdate; after: SecurityRules },
) {
  if (change.requireSecondFactor && !hasAnyFactor(await findOwnFactors(tx, actor.accountId)))
    throw Conflict('Set up a second factor for your own account first. Otherwise you would be locked out.');
  if (services.config.direct && [change.idleMinutes, change.sessionHours].some((limit) => typeof limit === 'number'))
    throw Conflict('Your identity provider manages sessions on this server. Limit them there.');
  const { allowedNetworks } = after;
  if (change.allowedNetworks && allowedNetworks.length > 0 && !isInNetworks(allowedNetworks, actor.address ?? ''))
    throw Conflict(`These networks do not include your own address, ${actor.address}. You would be locked out.`);
}

const save = ({ db }: Tx, orgId: string, rules: SecurityRules) =>
  db
    .updateTable('organization')
    .set({
      require_second_factor: rules.requireSecondFactor,
      idle_minutes: rules.idleMinutes,
      session_hours: rules.sessionHours,
      allowed_networks: [...rules.allowedNetworks],
      sso_connection: rules.ssoConnection,
    })
    .where('id', '=', orgId)
    .execute();

async function recordChanges(
  { people }: Services,
  tx: Tx,
  actor: Actor,
  { before, after }: { before: SecurityRules; after: SecurityRules },
): Promise<void> {
  const { orgId } = actor;
  const subject = { kind: 'organization', id: orgId } as const;
  const { requireSecondFactor: wasRequired, ssoConnection: _, ...policyBefore } = before;
  const { requireSecondFactor: isRequired, ssoConnection: __, ...policyAfter } = after;
  if (wasRequired !== isRequired) {
    const state = (on: boolean) => ({ state: on ? 'on' : 'off' });
    const data = { before: state(wasRequired), after: state(isRequired) };
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: { action: 'organization.second_factor_required', subject, data },
    });
  }
  if (JSON.stringify(policyBefore) !== JSON.stringify(policyAfter)) {
    const data = { before: { ...policyBefore }, after: { ...policyAfter } };
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: { action: 'organization.session_policy_changed', subject, data },
    });
  }
}

/** Sets the break-glass owners. Throws 409 unless all are active owners with a password and a second factor. */
async function setBreakGlassOwners({ db }: Tx, orgId: string, accountIds: readonly string[]): Promise<void> {
  await db.updateTable('member').set({ break_glass: false }).where('org_id', '=', orgId).execute();
  if (accountIds.length === 0) return;
  const set = await db
    .updateTable('member as m')
    .set({ break_glass: true })
    .where('m.org_id', '=', orgId)
    .where('m.account_id', 'in', accountIds)
    .where('m.role_id', '=', 'rol_owner')
    .where('m.status', '=', 'active')
    .where(sql<boolean>`exists (select from account_password w where w.account_id = m.account_id)`)
    .where(
      sql<boolean>`(exists (select from account_totp t where t.account_id = m.account_id)
        or exists (select from account_passkey p where p.account_id = m.account_id))`,
    )
    .returning('m.account_id')
    .execute();
  if (set.length < new Set(accountIds).size)
    throw Conflict('A break-glass owner is an active Account Owner with a password and a second factor.');
}

async function refuseBadSingleSignOn(
  services: Services,
  tx: Tx,
  actor: Actor,
  { securityRules: { ssoConnection: connection }, owners }: { securityRules: SecurityRules; owners: readonly string[] },
): Promise<void> {
  if (connection === null) return;
  if (services.config.direct) throw Conflict('All users of this server already sign in with your identity provider.');
  // The SAML login of another organization is none of this one.
  const isForeign = isSamlConnection(connection) && connection !== samlConnectionOf(actor.orgId);
  const upstream = isForeign ? undefined : await findUpstream(services, connection);
  if (!upstream) throw Invalid('ssoConnection', 'is not a provider of this server');
  const domains = await listVerifiedDomains(tx, actor.orgId);
  if (domains.length === 0) throw Conflict('Verify a domain of your organization first.');
  if (owners.length === 0)
    throw Conflict(`Select a break-glass owner first, who can sign in when ${upstream.label} is not available.`);
  if (owners.includes(actor.accountId)) return;
  const { sessionId } = actor;
  const state = sessionId === undefined ? undefined : await findSessionState(services.database, { id: sessionId });
  if (!acceptsLogin({ sso: { connection, domains } }, state))
    throw Conflict(`Sign in with ${upstream.label} yourself first. Otherwise you would be locked out.`);
}

interface SingleSignOnRules {
  connection: string | null;
  owners: readonly string[];
}

async function recordSingleSignOn(
  services: Services,
  tx: Tx,
  actor: Actor,
  { before, after }: { before: SingleSignOnRules; after: SingleSignOnRules },
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const { orgId } = actor;
  const subject = { kind: 'organization', id: orgId } as const;
  const data = { before: { ...before }, after: { ...after } };
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: { action: 'organization.sso_changed', subject, data },
  });
  if (after.connection === null || after.connection === before.connection) return;
  // The single sign-on provider may not have confirmed the accounts of earlier sign-ins.
  const members = await tx.db.selectFrom('member').select('account_id').where('org_id', '=', orgId).execute();
  for (const { account_id: accountId } of members)
    await endGrants(services, tx, orgId, { actor, which: { accountId, reason: 'single sign-on is required' } });
}
