import { MAX_TICKET_SUBJECTS, type TicketTarget } from '@sightline/contract/sources/trackers.ts';
import type { FindingEdit } from '@sightline/contract/vulnerabilities/finding-edits.ts';
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
  edit: FindingEdit,
  onDone: () => void,
) {
  const isPossible = everything === undefined && targets.length <= MAX_TICKET_SUBJECTS;
  const choice = useTicketTarget(isPossible);
  const isEdited = Object.keys(edit).length > 0;
  const create = useChange(
    (target: TicketTarget) => call(createFindingTickets, { body: { ids: targets.map(({ id }) => id), target } }),
    (requested) => {
      toast.success(ticketsRequestedText(requested));
      onDone();
    },
    { quiet: true },
  );
  return {
    /** Whether the edit changes anything or creates tickets, and whether it only creates tickets. */
    hasWork: isEdited || choice.target !== null,
    isAlone: !isEdited,
    request: () => (choice.target ? create.mutate(choice.target) : onDone()),
    isPending: create.isPending,
    error: create.error,
    // A ticket whose URL is entered exists already.
    fields: isPossible && edit.ticketUrl === undefined && <TicketTargetFields {...choice} count={targets.length} />,
  };
}
