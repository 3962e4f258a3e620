import { subscribeTo } from '#core/topics.ts';
import { groupsReported } from '../../identity/authentication/topics.ts';
import { applyReportedGroups } from './reported-groups.ts';

export const directorySubscriptions = [subscribeTo(groupsReported, 'organization.apply-groups', applyReportedGroups)];
