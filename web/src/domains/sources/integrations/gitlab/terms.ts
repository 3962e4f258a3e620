import type { HostTerms } from '../hostTerms.ts';

export const terms: HostTerms = {
  name: 'gitlab',
  one: 'group',
  many: 'groups',
  needs: [
    'The scope api. With read_api, updates arrive hours later',
    'The role Maintainer in the groups, to create webhooks',
  ],
  where: 'In GitLab, create one under Preferences, Access tokens, or in the settings of a group.',
};
