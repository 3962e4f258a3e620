import type { HostTerms } from '../hostTerms.ts';

export const terms: HostTerms = {
  name: 'bitbucket',
  one: 'workspace',
  many: 'workspaces',
  needs: ['Read account, repositories and pull requests', 'Read and write webhooks, for immediate updates'],
  where: 'In Bitbucket, create an API token in your Atlassian account, or an access token in a workspace.',
  account: {
    label: 'Email',
    description: 'For an API token: the email address of its Atlassian account.',
    isEmail: true,
  },
  workspace: { label: 'Workspace', description: 'For any other token: the workspace slug, or workspace/repository.' },
};
