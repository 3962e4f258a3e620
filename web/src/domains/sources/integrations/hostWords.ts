import type { ConnectableHost } from '@sightline/contract/sources/host-connections.ts';

/** The terms of each host, and the requirements of a connection. */
export const hostTerms: Record<
  ConnectableHost,
  { one: string; many: string; needs: readonly string[]; where: string }
> = {
  gitlab: {
    one: 'group',
    many: 'groups',
    needs: [
      'The scope api. With read_api, updates arrive hours later',
      'The role Maintainer in the groups, to create webhooks',
    ],
    where: 'In GitLab, create one under Preferences, Access tokens, or in the settings of a group.',
  },
  bitbucket: {
    one: 'workspace',
    many: 'workspaces',
    needs: ['Read account, repositories and pull requests', 'Read and write webhooks, for immediate updates'],
    where: 'In Bitbucket, create an API token in your Atlassian account, or an access token in a workspace.',
  },
};
