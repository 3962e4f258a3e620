import { type Flag, flagDefaults, flagNames } from '@sightline/contract/core/flags.ts';
import { Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { setFlag as changeFlag } from '../domains/identity/flags/commands.ts';
import { type FlagScope, findFlagSetting, listFlagUsage } from '../domains/identity/flags/queries.ts';
import { type CliAccount, findAccountByEmail } from './accounts.ts';
import { aligned, command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorUserName } from './operator.ts';
import { findOrganization, type Organization } from './organizations.ts';

const whose = {
  org: { valueName: 'SLUG|ID', description: 'Only for one organization.' },
  email: { valueName: 'ADDRESS', description: 'Only for one account, in all its organizations.' },
} as const;

export const listFlags = command({
  name: 'flags list',
  description: 'Lists the feature flags with their state and its source.',
  options: {
    org: { valueName: 'SLUG|ID', description: 'For the members of an organization.' },
    email: { valueName: 'ADDRESS', description: 'For one account.' },
  },
  run: ({ options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const target = await targetOf(services, ownerUrl, options);
      const rows = await Promise.all(flagNames.map((name) => stateOf(services, target, name)));
      const { unleash } = services.config;
      return {
        json: { flags: rows, ...(unleash && { unleash: unleash.url }) },
        lines: [
          ...aligned(rows.map(({ name, on, by }) => [name, `${wordOf(on)}, ${by}`])),
          ...(unleash ? ['', `Unleash at ${unleash.url} decides. These values apply until it responds.`] : []),
        ],
      };
    }),
});

export const setFlag = command({
  name: 'flags set',
  description: 'Turns a feature flag on or off. Running servers apply it within 5 seconds.',
  valueName: ['NAME', 'on|off'],
  options: whose,
  run: async ({ words: [given = '', state = ''], options }) => {
    const name = nameOf(given);
    if (state !== 'on' && state !== 'off') throw Invalid(`"${state}"`, 'must be on or off');
    return change(name, state === 'on', options);
  },
});

export const unsetFlag = command({
  name: 'flags unset',
  description: 'Removes a setting. The global setting or the default applies then.',
  valueName: ['NAME'],
  options: whose,
  run: async ({ words: [given = ''], options }) => change(nameOf(given), undefined, options),
});

const day = 24 * 60 * 60_000;

export const showFlagUsage = command({
  name: 'flags usage',
  description: 'Shows the usage of each feature flag.',
  options: { days: { valueName: 'NUMBER', description: 'Number of days, 1 to 30. Default: 7.' } },
  run: async ({ options }) => {
    const days = Number(options.days ?? 7);
    if (!Number.isInteger(days) || days < 1 || days > 30)
      throw Invalid('--days', 'must be a whole number from 1 to 30');
    return withServices(async ({ database }) => {
      const since = new Date(Date.now() - days * day);
      const counted = new Map((await database.global((tx) => listFlagUsage(tx, since))).map((row) => [row.name, row]));
      const rows = flagNames.map((name) => counted.get(name) ?? { name, yes: 0, no: 0 });
      return {
        json: { days, usage: rows },
        lines: aligned(
          rows.map(({ name, yes, no }) => [name, yes + no === 0 ? 'not used' : `${yes} times on, ${no} off`]),
        ),
      };
    });
  },
});

interface FlagOptions {
  org: string | undefined;
  email: string | undefined;
}
interface FlagTarget {
  organization?: Organization;
  account?: CliAccount;
}

async function change(name: Flag, enabled: boolean | undefined, given: FlagOptions) {
  if (given.org !== undefined && given.email !== undefined)
    throw Invalid('--org and --email', 'cannot be given together');
  return withServices(async (services, _keys, ownerUrl) => {
    const target = await targetOf(services, ownerUrl, given);
    await changeFlag(services, scopeOf(target), { name, enabled, operator: operatorUserName() });
    const { on, by } = await stateOf(services, target, name);
    const { unleash } = services.config;
    return {
      json: { flag: { name, on, by } },
      lines: [
        `${name} is ${wordOf(on)} for ${target.account?.email ?? target.organization?.name ?? 'everybody'}: ${by}.`,
        ...(unleash ? [`Unleash at ${unleash.url} decides while it answers.`] : []),
      ],
    };
  });
}

async function targetOf(services: Services, ownerUrl: string, { org, email }: FlagOptions): Promise<FlagTarget> {
  return {
    ...(org !== undefined && { organization: await findOrganization(services, ownerUrl, org) }),
    ...(email !== undefined && { account: await findAccountByEmail(services, email) }),
  };
}

const scopeOf = ({ account, organization }: FlagTarget): FlagScope =>
  account ? { accountId: account.id } : organization ? { orgId: organization.id } : 'everybody';

/** Returns the state of a flag from the table, without a cache, and the entry that determines it. */
async function stateOf({ database }: Services, { account, organization }: FlagTarget, name: Flag) {
  const own = account && (await database.global((tx) => findFlagSetting(tx, { accountId: account.id }, name)));
  if (own !== undefined) return { name, on: own, by: 'set for the account' };
  const of =
    organization &&
    (await database.withOrg(organization.id, (tx) => findFlagSetting(tx, { orgId: organization.id }, name)));
  if (of !== undefined) return { name, on: of, by: 'set for the organization' };
  const all = await database.global((tx) => findFlagSetting(tx, 'everybody', name));
  if (all !== undefined) return { name, on: all, by: 'set globally' };
  return { name, on: flagDefaults[name], by: 'by default' };
}

function nameOf(given: string): Flag {
  const name = flagNames.find((known) => known === given);
  if (!name) throw Invalid(`"${given}"`, `is not a feature flag. Valid flags: ${flagNames.join(', ')}`);
  return name;
}

const wordOf = (on: boolean) => (on ? 'on' : 'off');
