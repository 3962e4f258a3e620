import { Invalid } from '#core/errors.ts';
import { type OutboundPurpose, outboundPurposes } from '#core/outbound.ts';
import type { Services } from '#core/services.ts';
import { type AllowanceScope, changeAllowance, parseAllowance } from '../domains/organization/outbound/commands.ts';
import { listGlobalAllowances, listOrganizationAllowances } from '../domains/organization/outbound/queries.ts';
import { aligned, command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorUserName } from './operator.ts';
import { findOrganization } from './organizations.ts';

const whose = {
  org: { valueName: 'SLUG|ID', description: 'For one organization.' },
  all: { description: 'For every organization, including future ones.' },
  purpose: {
    valueName: 'PURPOSE',
    description: `Purposes, separated by commas: ${outboundPurposes.join(', ')}.`,
    required: true,
  },
} as const;

export const allowOutbound = command({
  name: 'outbound allow',
  description: 'Allows organizations to connect to an address in your network. Takes effect immediately.',
  valueName: ['HOST|CIDR|ORIGIN'],
  options: whose,
  run: ({ words: [typed = ''], options }) => change(typed, true, options),
});

export const revokeOutbound = command({
  name: 'outbound revoke',
  description: 'Revokes a destination of outbound allow. Takes effect immediately.',
  valueName: ['HOST|CIDR|ORIGIN'],
  options: whose,
  run: ({ words: [typed = ''], options }) => change(typed, false, options),
});

export const listOutbound = command({
  name: 'outbound list',
  description: 'Lists the addresses in your network that organizations may connect to, with purposes.',
  options: { org: { valueName: 'SLUG|ID', description: 'Only for one organization.' } },
  run: ({ options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { database } = services;
      const allOrganizations = (await database.global(listGlobalAllowances)).map((one) => ({
        ...one,
        organization: null,
      }));
      const orgs = await organizationsOf(services, ownerUrl, options.org);
      const own = await Promise.all(
        orgs.map(async ({ id, name }) =>
          (await database.withOrg(id, (tx) => listOrganizationAllowances(tx, id))).map((one) => ({
            ...one,
            organization: { id, name },
          })),
        ),
      );
      const allowances = [...allOrganizations, ...own.flat()];
      return {
        json: { allowances },
        lines:
          allowances.length === 0
            ? ['None: organizations can only connect to public addresses.']
            : aligned(
                allowances.map(({ destination, purpose, organization }) => [
                  destination,
                  `${purpose}, ${organization?.name ?? 'every organization'}`,
                ]),
              ),
      };
    }),
});

interface AllowanceOptions {
  org: string | undefined;
  all: boolean;
  purpose: string;
}

async function change(typed: string, allowed: boolean, { org, all, purpose }: AllowanceOptions) {
  if ((org !== undefined) === all) throw Invalid('--org or --all', 'is required, and only one of them');
  const destination = parseAllowance(typed);
  const purposes = purposesIn(purpose);
  return withServices(async (services, _keys, ownerUrl) => {
    const organization = org === undefined ? undefined : await findOrganization(services, ownerUrl, org);
    const scope: AllowanceScope = organization ? { orgId: organization.id } : 'all';
    const changed = await changeAllowance(services, scope, {
      purposes,
      destination,
      allowed,
      operator: operatorUserName(),
    });
    const word = allowed ? 'allowed' : 'not allowed';
    return {
      json: { destination, purposes, allowed, changed },
      lines: [`${destination} is ${word} for ${purposes.join(', ')} of ${organization?.name ?? 'every organization'}.`],
    };
  });
}

function purposesIn(given: string): OutboundPurpose[] {
  return [...new Set(given.split(','))].map((typed) => {
    const purpose = outboundPurposes.find((known) => known === typed);
    if (!purpose) throw Invalid(`--purpose "${typed}"`, `must be one of ${outboundPurposes.join(', ')}`);
    return purpose;
  });
}

async function organizationsOf(services: Services, ownerUrl: string, org: string | undefined) {
  if (org !== undefined) return [await findOrganization(services, ownerUrl, org)];
  const { rows } = await services.database.pool.query<{ id: string }>('select every_organization() as id');
  return Promise.all(rows.map(({ id }) => findOrganization(services, ownerUrl, id)));
}
