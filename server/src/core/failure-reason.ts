import { hostFailureReason } from '#providers/host-failure.ts';
import { newId } from './ids.ts';
import type { Services } from './services.ts';

/**
 * The reason why `work`, such as `the import`, failed, for users: the response of the code host. Any other error may
 * contain table and file names, so it is logged under a reference instead.
 */
export function failureReason({ log }: Pick<Services, 'log'>, work: string, about: object, error: unknown): string {
  const reason = hostFailureReason(error);
  if (reason !== undefined) return reason;
  const reference = newId();
  log.error({ ...about, reference, err: error }, `an internal error stopped ${work}`);
  return `An internal error stopped ${work}. Reference: ${reference}`;
}
