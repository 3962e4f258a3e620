import { listTicketProjects, type TicketProjects, type TicketTarget } from '@sightline/contract/sources/trackers.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from './api.ts';

export interface TicketTargetChoice {
  /** The connected trackers; undefined while they are loading. */
  trackers: TicketProjects | undefined;
  /** Null: no ticket is created. */
  target: TicketTarget | null;
  setTarget: (target: TicketTarget | null) => void;
}

/** The choice of a tracker and project for new tickets. */
export function useTicketTarget(enabled = true): TicketTargetChoice {
  const [target, setTarget] = useState<TicketTarget | null>(null);
  const { data } = useQuery({ ...endpointQuery(listTicketProjects, {}), enabled, meta: { quiet: true } });
  return { trackers: data?.filter(({ projects }) => projects.length > 0), target, setTarget };
}

/** The message after tickets were requested. */
export const ticketsRequestedText = ({ requested, skipped }: { requested: number; skipped: number }): string => {
  const made = requested === 1 ? '1 ticket is being created.' : `${requested} tickets are being created.`;
  return skipped === 0 ? made : `${made} ${skipped} had one already.`;
};
