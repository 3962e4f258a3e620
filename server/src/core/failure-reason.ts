import { hostFailureReason } from '#providers/host-failure.ts';
import { newId } from './ids.ts';
import type { Services } from './services.ts';

/**
 * Why `work`, such as `the import`, was stopped, for people: what the code host answered. Of any other error, whose text may name
 * tables and files, the log tells more under a reference.
 */
export function failureReason({ log }: Pick<Services, 'log'>, work: string, about: object, error: unknown): string {
  const reason = hostFailureReason(error);
  if (reason !== undefined) return reason;
  const reference = newId();
  log.error({ ...about, reference, err: error }, `an internal error stopped ${work}`);
  return `An internal error stopped ${work}. Reference: ${reference}`;
}
