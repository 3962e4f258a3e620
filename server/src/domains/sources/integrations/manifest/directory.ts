import { directoryProductNames } from '@sightline/contract/organization/directory.ts';
import { maybeDirectory, withheldText } from '../../../organization/directory/queries.ts';
import { countText } from '../count-text.ts';
import type { IntegrationCard } from '../manifest.ts';

export const manifest: IntegrationCard = {
  name: 'directory',
  title: 'Directory',
  category: 'directories',
  description: 'Users and groups over SCIM 2.0, which give and end memberships.',
  look: async ({ services, tx, actor }) => {
    const directory = await maybeDirectory(services, tx, actor.orgId);
    if (!directory) return { status: 'inactive' };
    const { product, users, groups, failure, lastRequestAt, lastChangeAt } = directory;
    const isOwner = actor.reach('manage:integrations') !== undefined;
    return {
      status: failure === null ? 'active' : 'error',
      detail: `${directoryProductNames[product]}: ${countText(users.active, 'active user', 'active users')}, ${countText(groups, 'group', 'groups')}`,
      checkedAt: lastRequestAt,
      lastSyncAt: lastChangeAt,
      problem: failure === null ? null : { code: 'rejected', message: `A request was rejected: ${failure.message}` },
      missing: [
        ...(lastRequestAt === null ? ['The directory has not sent a request yet.'] : []),
        ...(users.withheld > 0 ? [withheldText(users.withheld)] : []),
      ],
      links: isOwner ? [{ label: 'Users, groups and roles', href: '/integrations/directories/directory' }] : [],
    };
  },
};
