import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { ApiReply } from './api.ts';

export type DeliveryVerdict =
  | { kind: 'settled'; stored: IdentifyEvent[]; dropped: [IdentifyEvent, string][] }
  /** Too large, or invalid as a whole: retry with fewer events. */
  | { kind: 'split' }
  | { kind: 'renew' }
  | { kind: 'refused' }
  | { kind: 'wait' };

/** Determines the effect of a response on the sent events. An ambiguous response keeps them queued. */
export function deliveryVerdictOf(reply: ApiReply, batch: readonly IdentifyEvent[]): DeliveryVerdict {
  const { status } = reply;
  if (status >= 200 && status < 300) return isAnswer(reply.body) ? settled(reply.body, batch) : { kind: 'wait' };
  if (status === 401) return { kind: 'renew' };
  if (status === 400 || status === 413 || status === 422) {
    const [only] = batch;
    if (batch.length > 1 || only === undefined) return { kind: 'split' };
    return { kind: 'settled', stored: [], dropped: [[only, reply.message]] };
  }
  return status === 403 || status === 404 || status === 409 ? { kind: 'refused' } : { kind: 'wait' };
}

interface IntakeAnswer {
  accepted: number;
  rejected: { index: number; field?: string; message?: string }[];
}

// A proxy or captive portal may return 200 for anything. Only a response that counts the events has stored them.
const isAnswer = (body: unknown): body is IntakeAnswer =>
  body !== null &&
  typeof body === 'object' &&
  'accepted' in body &&
  typeof body.accepted === 'number' &&
  'rejected' in body &&
  Array.isArray(body.rejected);

function settled({ rejected }: IntakeAnswer, batch: readonly IdentifyEvent[]): DeliveryVerdict {
  const reasons = new Map(
    rejected.map(({ index, field = 'event', message = 'was refused' }) => [index, `${field} ${message}`]),
  );
  return {
    kind: 'settled',
    stored: batch.filter((_, index) => !reasons.has(index)),
    dropped: batch.flatMap((event, index): [IdentifyEvent, string][] => {
      const reason = reasons.get(index);
      return reason === undefined ? [] : [[event, reason]];
    }),
  };
}
