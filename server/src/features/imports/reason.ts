import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { hostFailureReason } from '#providers/host-failure.ts';

/** Why something could not be imported, for people; what is no answer of the host stands in the log, under a reference. */
export function reasonOf({ log }: Services, about: object, error: unknown): string {
  const reason = hostFailureReason(error);
  if (reason !== undefined) return reason;
  const reference = newId();
  log.error({ ...about, reference, err: error }, 'an import failed');
  return `An internal error stopped the import. Reference: ${reference}`;
}
