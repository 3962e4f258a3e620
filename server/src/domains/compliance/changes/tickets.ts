import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import { complete, missing } from './host-answer.ts';

const key = /\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b/g;

/** Ticket keys in the title, branch and body of a pull request, without duplicates. */
const ticketKeys = ({ title, headRef, body }: Pick<HostPullRequest, 'title' | 'headRef' | 'body'>): string[] => [
  ...new Set(`${title}\n${headRef}\n${body ?? ''}`.match(key)),
];

/**
 * The state of the tickets that a pull request names. No tracker is connected yet, so this is known only without ticket
 * keys.
 */
export function ticketsIn(pullRequest: HostPullRequest): Fact<readonly ('resolved' | 'not_found' | 'unreachable')[]> {
  const isRead = pullRequest.body !== undefined;
  return isRead && ticketKeys(pullRequest).length === 0 ? complete([]) : missing;
}
