import { z } from 'zod';
import type { TicketStep, TrackerPerson, TrackerTicket } from '#providers/tracker.ts';

const person = z.object({ id: z.string(), name: z.string(), email: z.string().nullish() });

export const parsePerson = (value: unknown): TrackerPerson => {
  const { id, name, email } = person.parse(value);
  return { id, name, email: email || null };
};

/** `type` of a state: triage, backlog, unstarted, started, completed, canceled, duplicate. */
const state = z.object({ name: z.string(), type: z.string() });

export const categoryOf = (type: string): TrackerTicket['category'] =>
  ['completed', 'canceled', 'duplicate'].includes(type) ? 'done' : type === 'started' ? 'in_progress' : 'todo';

const issue = z.object({
  id: z.string(),
  identifier: z.string(),
  url: z.string(),
  createdAt: z.string(),
  trashed: z.boolean().nullish(),
  state,
  assignee: person.nullish(),
});

export const issueFields = `id identifier url createdAt trashed state { name type } assignee { id name email }`;

export function parseTicket(value: unknown): TrackerTicket {
  const { id, identifier, url, createdAt, trashed, state: current, assignee } = issue.parse(value);
  return {
    id,
    key: identifier,
    type: null,
    status: current.name,
    category: categoryOf(current.type),
    assignee: assignee ? parsePerson(assignee) : null,
    url,
    createdAt: new Date(createdAt).toISOString(),
    isDeleted: trashed === true,
  };
}

export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

export const history = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      createdAt: z.string(),
      fromState: z.object({ name: z.string() }).nullish(),
      fromAssignee: z.object({ id: z.string() }).nullish(),
      toAssignee: z.object({ id: z.string() }).nullish(),
    }),
  ),
  pageInfo,
});
export type HistoryNode = z.infer<typeof history>['nodes'][number];

export const stepsOf = ({ createdAt, fromState, fromAssignee, toAssignee }: HistoryNode): TicketStep[] => {
  const at = new Date(createdAt).toISOString();
  return [
    ...(fromState ? [{ at, field: 'status', before: fromState.name } as const] : []),
    ...(fromAssignee || toAssignee ? [{ at, field: 'assignee', before: fromAssignee?.id ?? null } as const] : []),
  ];
};
