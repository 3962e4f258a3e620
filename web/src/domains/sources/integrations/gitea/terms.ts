import type { HostTerms } from '../hostTerms.ts';

export const terms: HostTerms = {
  name: 'gitea',
  one: 'organization',
  many: 'organizations',
  needs: [
    'Read organization and user; read and write repository and issue',
    'The role administrator in the repositories, to read branch protection and create webhooks',
  ],
  where: 'There, create one under Settings, Applications.',
};
