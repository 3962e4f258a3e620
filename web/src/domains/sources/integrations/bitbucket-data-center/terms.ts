import type { HostTerms } from '../hostTerms.ts';

export const terms: HostTerms = {
  name: 'bitbucket-data-center',
  one: 'project',
  many: 'projects',
  needs: [
    'Project read and repository admin. With repository read, updates arrive hours later',
    'The permission admin in the repositories, to read branch permissions and create webhooks',
  ],
  where: 'There, create one under Manage account, HTTP access tokens, or in the settings of a project or repository.',
};
