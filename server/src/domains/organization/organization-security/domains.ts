import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { domainsMax, type OrganizationSecurity } from '@sightline/contract/organization/organization-security.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { countAttempts } from '#core/attempts.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound, TooManyAttempts } from '#core/errors.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { listVerifiedDomains } from '../../identity/sign-in-policy/queries.ts';
import { findOrganizationSecurity, findSecurityRules, txtRecordNameOf, txtRecordValueOf } from './queries.ts';

const lookups = { name: 'domain looked up', most: 30, windowSeconds: 3600 };
const lookupTimeoutMs = 3_000;

/** Normalizes a domain for storage. Throws 400 if invalid. */
export function normalizeDomain(domainText: string): string {
  const domain = domainText.trim().toLowerCase().replace(/\.$/, '');
  if (/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(domain)) return domain;
  throw Invalid('domain', 'is not a domain, such as example.org');
}

export async function addDomain(services: Services, actor: Actor, given: string): Promise<OrganizationSecurity> {
  const domain = normalizeDomain(given);
  return change(services, actor, async (tx) => {
    const { count } = await tx.db
      .selectFrom('organization_domain')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('org_id', '=', actor.orgId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= domainsMax) throw Conflict(`The limit of ${domainsMax} domains is reached.`);
    if (!(await insertDomain(tx, actor.orgId, domain))) throw Conflict(`${domain} already exists.`);
    await recordChange(services, tx, actor.orgId, {
      actor,
      action: 'organization.domain_added',
      data: { domain },
    });
  });
}

/** Adds an unverified domain; returns false if it exists already. */
export async function insertDomain({ db }: Tx, orgId: string, domain: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('organization_domain')
    .values({ org_id: orgId, domain, token: randomBytes(24).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Verifies a domain by its TXT record; throws 409 if the record is missing. */
export async function verifyDomain(services: Services, actor: Actor, given: string): Promise<OrganizationSecurity> {
  const domain = normalizeDomain(given);
  const token = await services.database.withOrg(actor.orgId, async (tx) => {
    const wait = await countAttempts(tx, [[lookups, actor.orgId]]);
    if (wait > 0) throw TooManyAttempts(wait);
    const row = await tx.db
      .selectFrom('organization_domain')
      .select('token')
      .where('org_id', '=', actor.orgId)
      .where('domain', '=', domain)
      .executeTakeFirst();
    if (!row) throw NotFound('Domain');
    return row.token;
  });
  const found = await lookUp(services, txtRecordNameOf(domain));
  if (!found.includes(txtRecordValueOf(token))) {
    const state = found.length === 0 ? 'No such record exists' : `Found ${found.slice(0, 3).join(', ').slice(0, 300)}`;
    throw Conflict(
      `${txtRecordNameOf(domain)} does not have the TXT record yet. ${state}. DNS changes can take an hour.`,
    );
  }
  return change(services, actor, (tx) => markDomainVerified(services, tx, actor.orgId, { actor, domain, by: 'dns' }));
}

/** Marks a domain as verified. */
export async function markDomainVerified(
  services: Services,
  tx: Tx,
  orgId: string,
  { actor, domain, by }: { actor: AuditActor; domain: string; by: 'dns' | 'operator' },
): Promise<void> {
  const verified = await tx.db
    .updateTable('organization_domain')
    .set({ verified_by: by, verified_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('domain', '=', domain)
    .where('verified_at', 'is', null)
    .returning('domain')
    .executeTakeFirst();
  if (verified)
    await recordChange(services, tx, orgId, { actor, action: 'organization.domain_verified', data: { domain, by } });
}

export async function removeDomain(services: Services, actor: Actor, given: string): Promise<OrganizationSecurity> {
  const domain = normalizeDomain(given);
  return change(services, actor, async (tx) => {
    const { ssoConnection } = await findSecurityRules(tx, actor.orgId);
    const verified = await listVerifiedDomains(tx, actor.orgId);
    if (ssoConnection !== null && verified.length === 1 && verified[0] === domain)
      throw Conflict('Single sign-on needs a verified domain. Turn it off first, or verify another domain.');
    const removed = await tx.db
      .deleteFrom('organization_domain')
      .where('org_id', '=', actor.orgId)
      .where('domain', '=', domain)
      .returning('domain')
      .executeTakeFirst();
    if (!removed) throw NotFound('Domain');
    await recordChange(services, tx, actor.orgId, {
      actor,
      action: 'organization.domain_removed',
      data: { domain },
    });
  });
}

const change = (services: Services, actor: Actor, work: (tx: Tx) => Promise<void>): Promise<OrganizationSecurity> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    await work(tx);
    tx.afterCommit(() => services.memberships.forgetOrganization(actor.orgId));
    return findOrganizationSecurity(tx, actor);
  });

const recordChange = (
  { people }: Services,
  tx: Tx,
  orgId: string,
  {
    actor,
    action,
    data,
  }: {
    actor: AuditActor;
    action: 'organization.domain_added' | 'organization.domain_verified' | 'organization.domain_removed';
    data: { domain: string; by?: string };
  },
) =>
  recordAuditEntry(tx, { people, orgId, actor, entry: { action, subject: { kind: 'organization', id: orgId }, data } });

/** The TXT records of a name; empty if the name does not exist. Throws 409 if no server responds. */
async function lookUp({ config }: Services, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: lookupTimeoutMs, tries: 2 });
  if (config.DNS_SERVERS.length > 0) resolver.setServers(config.DNS_SERVERS);
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw Conflict('DNS did not respond. Try again in a moment.');
  }
}
