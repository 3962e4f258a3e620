import { z } from 'zod';
import type { TrackerConnector } from '#providers/tracker.ts';
import { type JiraKind, jiraWebhook, openJira, readHistory, readProjects } from '../jira/jira.ts';
import { ticketFields } from '../jira/shapes.ts';

const api = '/rest/api/2';

const dataCenter: JiraKind = {
  api,
  // A personal access token.
  authorization: ({ token }) => `Bearer ${token}`,
  textOf: (text) => text,
  userQuery: (key) => ({ key }),
  // One list without pages.
  projects: (call) =>
    readProjects(async () => ({
      values: await call(`${api}/project`, { query: { expand: 'issueTypes' } }),
      isLast: true,
    })),
  // The history is part of the ticket, and complete.
  history: (call, id) =>
    readHistory(async () => {
      const path = `${api}/issue/${encodeURIComponent(id)}`;
      const { changelog } = withHistory.parse(await call(path, { query: { fields: 'status', expand: 'changelog' } }));
      return { total: changelog.total, startAt: 0, values: changelog.histories };
    }),
  search: async (call, jql) =>
    listed.parse(await call(`${api}/search`, { query: { jql, fields: ticketFields, maxResults: 1 } })).issues,
};

const withHistory = z.object({ changelog: z.object({ total: z.number(), histories: z.array(z.unknown()) }) });
const listed = z.object({ issues: z.array(z.unknown()) });

export const connector: TrackerConnector = {
  name: 'jira-data-center',
  needsURL: true,
  needsEmail: false,
  defaultURL: '',
  open: (outbound, connection, budget) => openJira(outbound, connection, budget, dataCenter),
  webhook: jiraWebhook,
};
