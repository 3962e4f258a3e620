import { subscribeTo } from '#core/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';
import { queueAllRepositorySyncs } from './commands.ts';

export const codeHostSubscriptions = [
  subscribeTo(organizationRestored, 'sources.list-repositories', queueAllRepositorySyncs),
];
