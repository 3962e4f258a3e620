import { subscribeTo } from '#core/topics.ts';
import { historyImported } from '../../sources/imports/topics.ts';
import { repeatOriginSearch } from './commands.ts';

export const originSubscriptions = [
  subscribeTo(historyImported, 'vulnerabilities.find-origins', ({ services, tx, orgId }, { repositoryId }) =>
    repeatOriginSearch(services, tx, orgId, repositoryId),
  ),
];
