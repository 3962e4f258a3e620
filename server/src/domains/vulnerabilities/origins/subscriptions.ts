import { on } from '#core/topics.ts';
import { historyImported } from '../../sources/imports/topics.ts';
import { seekOriginsAgain } from './commands.ts';

export const originSubscriptions = [
  on(historyImported, 'vulnerabilities.find-origins', ({ services, tx, orgId }, { repositoryId }) =>
    seekOriginsAgain(services, tx, orgId, repositoryId),
  ),
];
