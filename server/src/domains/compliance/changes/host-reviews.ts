import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { indexLateFields } from '../../timeline/events/commands.ts';
import { type ChangeParts, listFrom } from './parts.ts';
import type { RecordedRepository } from './scope.ts';

/**
 * Adds the review verdicts of a record to the search fields of its merge event. `before`: the parts of the preceding
 * version.
 */
export async function addReviewsToEvent(
  services: Services,
  tx: Tx,
  {
    recordedRepository: { orgId, repositoryId },
    number,
    now,
    before,
  }: {
    recordedRepository: Pick<RecordedRepository, 'orgId' | 'repositoryId'>;
    number: number;
    now: ChangeParts;
    before: ChangeParts | undefined;
  },
): Promise<void> {
  const id = factId('pull_request.merged', repositoryId, number);
  const known = before ? verdictsOf(before) : [];
  await indexLateFields(services, tx, orgId, [{ id, fields: { review: verdictsOf(now) }, known: { review: known } }]);
}

const verdictsOf = ({ reviews }: ChangeParts): string[] => [
  ...new Set(listFrom(reviews).map(({ verdict }) => verdict)),
];
