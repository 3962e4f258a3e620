import type { Fact } from '@sightline/evidence/controls/known.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import { complete, missing } from './host-answer.ts';

const key = /\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b/g;

/** Keys of tickets in the title, the branch and the body of a pull request, once each. */
const ticketKeys = ({ title, headRef, body }: Pick<HostPullRequest, 'title' | 'headRef' | 'body'>): string[] => [
  ...new Set(`${title}\n${headRef}\n${body ?? ''}`.match(key)),
];

/**
 * What the tracker says of the keys a pull request names. None is connected yet, so that this is known only where none is
 * named.
 */
export function ticketsIn(pullRequest: HostPullRequest): Fact<readonly ('resolved' | 'not_found' | 'unreachable')[]> {
  const isRead = pullRequest.body !== undefined;
  return isRead && ticketKeys(pullRequest).length === 0 ? complete([]) : missing;
}
