import type { OrganizationSecurity, updateOrganizationSecurity } from '@sightline/contract/organization-security.ts';
import ipaddr from 'ipaddr.js';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { isInNetworks } from '#core/session-policy.ts';
import type { Tx } from '#database/database.ts';
import { lockAsOwner } from '../organizations/commands.ts';
import { findOwnFactors, hasAny } from '../second-factors/queries.ts';
import { findOrganizationSecurity, findRules, type SecurityRules } from './queries.ts';

type Change = z.output<typeof updateOrganizationSecurity.body>;

/** Changes what the organization asks of its members; throws 409 for what would shut the asking owner out. */
export const updateSecurity = (services: Services, actor: Actor, change: Change): Promise<OrganizationSecurity> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await lockAsOwner(tx, actor);
    const before = await findRules(tx, actor.orgId);
    const after = { ...before, ...given(change) };
    await refuseShutOut(services, tx, actor, change, after);
    await save(tx, actor.orgId, after);
    await recordChanges(services, tx, actor, before, after);
    return findOrganizationSecurity(tx, actor);
  });

const given = ({ allowedNetworks, ...rest }: Change): Partial<SecurityRules> => ({
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  ...(allowedNetworks && { allowedNetworks: [...new Set(allowedNetworks.map(normalNetwork))] }),
});

/** A network as CIDR, its host part cleared; an address stands for itself. Throws 400 for what is none. */
function normalNetwork(network: string, index: number): string {
  const isCidr = network.includes('/');
  if (isCidr ? !ipaddr.isValidCIDR(network) : !ipaddr.isValid(network))
    throw Invalid(`allowedNetworks.${index}`, 'is no address or network, such as 203.0.113.0/24');
  const [base, bits] = isCidr ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), -1];
  if (base.kind() === 'ipv4') {
    const length = bits < 0 ? 32 : bits;
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${base}/${length}`)}/${length}`;
  }
  const length = bits < 0 ? 128 : bits;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${base}/${length}`)}/${length}`;
}

async function refuseShutOut(services: Services, tx: Tx, actor: Actor, change: Change, after: SecurityRules) {
  if (change.requireSecondFactor && !hasAny(await findOwnFactors(tx, actor.accountId)))
    throw Conflict('Set up a second factor for your own account first, or you could not come back in.');
  if (services.config.direct && [change.idleMinutes, change.sessionHours].some((limit) => typeof limit === 'number'))
    throw Conflict('Sessions on this server are those of your identity provider. Limit them there.');
  const { allowedNetworks } = after;
  if (change.allowedNetworks && allowedNetworks.length > 0 && !isInNetworks(allowedNetworks, actor.address ?? ''))
    throw Conflict(`These networks do not include your own address, ${actor.address}. You would shut yourself out.`);
}

const save = ({ db }: Tx, orgId: string, rules: SecurityRules) =>
  db
    .updateTable('organization')
    .set({
      require_second_factor: rules.requireSecondFactor,
      idle_minutes: rules.idleMinutes,
      session_hours: rules.sessionHours,
      allowed_networks: [...rules.allowedNetworks],
    })
    .where('id', '=', orgId)
    .execute();

async function recordChanges(
  { people, realtime, memberships }: Services,
  tx: Tx,
  actor: Actor,
  before: SecurityRules,
  after: SecurityRules,
): Promise<void> {
  const { orgId } = actor;
  const subject = { kind: 'organization', id: orgId } as const;
  const { requireSecondFactor: wasRequired, ...policyBefore } = before;
  const { requireSecondFactor: isRequired, ...policyAfter } = after;
  if (wasRequired !== isRequired) {
    const state = (on: boolean) => ({ state: on ? 'on' : 'off' });
    const data = { before: state(wasRequired), after: state(isRequired) };
    await record(tx, people, orgId, actor, { action: 'organization.second_factor_required', subject, data });
  }
  if (JSON.stringify(policyBefore) !== JSON.stringify(policyAfter)) {
    const data = { before: { ...policyBefore }, after: { ...policyAfter } };
    await record(tx, people, orgId, actor, { action: 'organization.session_policy_changed', subject, data });
  }
  tx.afterCommit(() => {
    memberships.forgetOrganization(orgId);
    realtime.cutOrganization(orgId);
    realtime.tell(orgId, 'orgSettings', {});
  });
}
