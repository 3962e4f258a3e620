import { subscribeTo } from '#core/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';
import { resumeImports } from './commands.ts';

export const importSubscriptions = [
  subscribeTo(organizationRestored, 'sources.resume-imports', ({ services, tx, orgId }) =>
    resumeImports(services, tx, orgId),
  ),
];
