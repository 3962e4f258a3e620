import { type ConnectableHost, connectableHosts, providerNames } from '@sightline/contract/core/providers.ts';
import { Invalid } from '#core/errors.ts';
import { connectByToken, disconnectCodeHost } from '../domains/sources/host-connections/connect.ts';
import { maybeConnection } from '../domains/sources/host-connections/queries.ts';
import { listHostScopes, selectHostScopes } from '../domains/sources/host-connections/scopes.ts';
import { findAccountByEmail } from './accounts.ts';
import { aligned, command } from './command.ts';
import { withServices } from './command-resources.ts';
import { secretFrom } from './input-file.ts';
import { operatorActor } from './operator.ts';
import { findOrganization, organizationOption } from './organizations.ts';

const names = connectableHosts.join(', ');

export const connectCodeHost = command({
  name: 'code-hosts connect',
  description: `Connects a code host without an app (${names}), or replaces its token, after testing it.`,
  valueName: ['HOST'],
  options: {
    org: organizationOption,
    as: {
      valueName: 'ADDRESS',
      required: true,
      description: 'The email address of the Account Owner who connects it.',
    },
    url: { valueName: 'URL', description: 'The address of the instance, if it is not the default.' },
    email: { valueName: 'ADDRESS', description: 'The account of the token, for hosts whose tokens do not tell it.' },
    workspace: { valueName: 'NAME', description: 'What the token is limited to, for the same reason.' },
    'token-file': { valueName: 'FILE', required: true, description: 'A file that contains the token.' },
    select: {
      valueName: 'PATH,…',
      description: 'Groups, organizations or workspaces to read, or "all". Without it none is selected.',
    },
  },
  run: async ({ words: [typed = ''], options }) => {
    const provider = hostNamed(typed);
    const token = await secretFrom('--token-file', options['token-file']);
    return withServices(async (services, _keys, ownerUrl) => {
      const account = await findAccountByEmail(services, options.as);
      const { id: orgId, name } = await findOrganization(services, ownerUrl, options.org);
      const manager = { orgId, accountId: account.id, ...operatorActor() };
      const { url: baseURL, email, workspace } = options;
      await connectByToken(services, manager, provider, { token, baseURL, email, workspace });
      const scopes = await listHostScopes(services, { orgId }, provider);
      const chosen = options.select === undefined ? [] : scopesNamed(options.select, scopes);
      if (options.select !== undefined)
        await selectHostScopes(
          services,
          manager,
          provider,
          chosen.map(({ id }) => id),
        );
      return {
        json: {
          provider,
          organization: orgId,
          available: scopes.map(({ path }) => path),
          selected: chosen.map(({ path }) => path),
        },
        lines: [
          `${providerNames[provider]} is connected to ${name}.`,
          `Available: ${scopes.map(({ path }) => path).join(', ') || 'nothing'}.`,
        ],
      };
    });
  },
});

export const disconnectCodeHostByCommand = command({
  name: 'code-hosts disconnect',
  description: 'Disconnects a code host, deletes its token and removes its webhooks. Imported data is kept.',
  valueName: ['HOST'],
  options: { org: organizationOption },
  run: ({ words: [typed = ''], options }) => {
    const provider = hostNamed(typed);
    return withServices(async (services, _keys, ownerUrl) => {
      const { id: orgId, name } = await findOrganization(services, ownerUrl, options.org);
      // No account is stored by disconnecting.
      await disconnectCodeHost(services, { orgId, accountId: '', ...operatorActor() }, provider);
      return {
        json: { provider, organization: orgId },
        lines: [`${providerNames[provider]} is not connected to ${name}. A running server removes its webhooks.`],
      };
    });
  },
});

export const listCodeHosts = command({
  name: 'code-hosts list',
  description: 'Lists the code hosts without an app of an organization with their state.',
  options: { org: organizationOption },
  run: ({ options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id: orgId } = await findOrganization(services, ownerUrl, options.org);
      const hosts = await services.database.withOrg(orgId, async (tx) => {
        const states = [];
        for (const provider of connectableHosts) {
          const connection = await maybeConnection(tx, orgId, provider);
          states.push({
            provider,
            connected: connection !== null,
            login: connection?.login ?? null,
            failure: connection?.failure ?? null,
            selected: connection?.workspaces.map(({ path }) => path) ?? [],
          });
        }
        return states;
      });
      return {
        json: { hosts },
        lines: aligned(
          hosts.map(({ provider, connected, login, failure, selected }) => [
            provider,
            connected
              ? [`connected by ${login}`, selected.join(' '), failure].filter(Boolean).join(', ')
              : 'not connected',
          ]),
        ),
      };
    }),
});

function hostNamed(typed: string): ConnectableHost {
  const host = connectableHosts.find((name) => name === typed);
  if (!host) throw Invalid(`"${typed}"`, `must be one of ${names}`);
  return host;
}

function scopesNamed<Scope extends { path: string }>(typed: string, scopes: readonly Scope[]): readonly Scope[] {
  if (typed === 'all') return scopes;
  return typed.split(',').map((path) => {
    const scope = scopes.find((one) => one.path.toLowerCase() === path.trim().toLowerCase());
    if (!scope) throw Invalid('--select', `names "${path}", which the token cannot read`);
    return scope;
  });
}
