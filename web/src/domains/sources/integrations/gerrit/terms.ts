import type { HostTerms } from '../hostTerms.ts';

export const terms: HostTerms = {
  name: 'gerrit',
  one: 'folder',
  many: 'folders',
  needs: [
    'An account that may read the projects, with an HTTP password',
    'The access right Owner in the projects, to read access rights, labels and updates of branches',
    'The plugin Gitiles on the instance, to read histories',
  ],
  isPolled: true,
  where: 'There, create an HTTP password under Settings, HTTP Credentials.',
  account: { label: 'User name', description: 'The user name of the account in Gerrit.', isEmail: false },
};
