import { on } from '#core/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';
import { requestSyncOfAll } from './commands.ts';

export const codeHostSubscriptions = [on(organizationRestored, 'sources.list-repositories', requestSyncOfAll)];
