import { MAX_TICKET_SUBJECTS, type TicketTarget } from '@sightline/contract/sources/trackers.ts';
import { createFindingTickets } from '@sightline/contract/vulnerabilities/finding-tickets.ts';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { ticketsRequestedText, useTicketTarget } from '#lib/ticket-target.ts';
import { TicketTargetFields } from '#ui/TicketTargetFields.tsx';
import { toast } from '#ui/toast.ts';
import type { TriageRequest } from './targets.ts';

/**
 * The part of an edit that creates tickets. `request` creates them if a project is selected, then calls `onDone`.
 * Findings that only a filter names get none.
 */
export function useFindingTickets(
  { targets, everything }: Extract<TriageRequest, { kind: 'edit' }>,
  onDone: () => void,
) {
  const isPossible = everything === undefined && targets.length <= MAX_TICKET_SUBJECTS;
  const choice = useTicketTarget(isPossible);
  const create = useChange(
    (target: TicketTarget) => call(createFindingTickets, { body: { ids: targets.map(({ id }) => id), target } }),
    (requested) => {
      toast.success(ticketsRequestedText(requested));
      onDone();
    },
    { quiet: true },
  );
  return {
    isChosen: choice.target !== null,
    request: () => (choice.target ? create.mutate(choice.target) : onDone()),
    isPending: create.isPending,
    error: create.error,
    fields: isPossible && <TicketTargetFields {...choice} count={targets.length} />,
  };
}
