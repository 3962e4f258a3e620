import { z } from 'zod';
import type { TicketStep, TrackerPerson, TrackerTicket } from '#providers/tracker.ts';

/** Jira Cloud identifies accounts by `accountId`, Data Center by `key`. */
const user = z
  .object({
    accountId: z.string().optional(),
    key: z.string().optional(),
    name: z.string().optional(),
    displayName: z.string().catch(''),
    emailAddress: z.string().optional(),
  })
  .transform(({ accountId, key, name, displayName, emailAddress }): TrackerPerson => {
    const id = accountId ?? key ?? name ?? '';
    return { id, name: displayName === '' ? id : displayName, email: emailAddress || null };
  });

export const parsePerson = (value: unknown): TrackerPerson => user.parse(value);

const statusCategory = z.object({ key: z.string() });
export type StatusCategory = z.infer<typeof statusCategory>;

export const categoryOf = ({ key }: StatusCategory): TrackerTicket['category'] =>
  key === 'done' ? 'done' : key === 'indeterminate' ? 'in_progress' : 'todo';

const issue = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.object({
    status: z.object({ name: z.string(), statusCategory }),
    issuetype: z.object({ name: z.string() }).nullish(),
    assignee: user.nullish(),
    created: z.string(),
  }),
});

export const ticketFields = 'status,issuetype,assignee,created';

/** `baseURL`: of the site, for the link. */
export function parseTicket(baseURL: string, value: unknown): TrackerTicket {
  const { id, key, fields } = issue.parse(value);
  return {
    id,
    key,
    type: fields.issuetype?.name ?? null,
    status: fields.status.name,
    category: categoryOf(fields.status.statusCategory),
    assignee: fields.assignee ?? null,
    url: `${baseURL}/browse/${encodeURIComponent(key)}`,
    createdAt: new Date(fields.created).toISOString(),
    isDeleted: false,
  };
}

export const historyPage = z.object({
  total: z.number(),
  startAt: z.number().default(0),
  values: z.array(
    z.object({
      id: z.string(),
      created: z.string(),
      items: z.array(
        z.object({
          field: z.string(),
          from: z.string().nullish(),
          fromString: z.string().nullish(),
        }),
      ),
    }),
  ),
});
export type HistoryEntry = z.infer<typeof historyPage>['values'][number];

export const stepsOf = ({ created, items }: HistoryEntry): TicketStep[] =>
  items.flatMap(({ field, from, fromString }): TicketStep[] => {
    const at = new Date(created).toISOString();
    if (field === 'status' && fromString) return [{ at, field, before: fromString }];
    return field === 'assignee' ? [{ at, field, before: from || null }] : [];
  });

export const transitions = z.object({
  transitions: z.array(z.object({ id: z.string(), to: z.object({ statusCategory }) })),
});

export const projectPage = z.object({
  values: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      name: z.string(),
      issueTypes: z.array(z.object({ name: z.string(), subtask: z.boolean().catch(false) })).optional(),
    }),
  ),
  isLast: z.boolean(),
});
