import { z } from 'zod';
import type { TrackerConnector } from '#providers/tracker.ts';
import { type FoundIssues, type JiraKind, jiraWebhook, openJira, readHistory, readProjects } from '../jira/jira.ts';
import { ticketFields } from '../jira/shapes.ts';

const api = '/rest/api/3';
const MAX_BULK = 100;

const cloud: JiraKind = {
  api,
  authorization: ({ email, token }) => `Basic ${Buffer.from(`${email ?? ''}:${token}`).toString('base64')}`,
  // The Atlassian Document Format.
  textOf: (text) => ({
    type: 'doc',
    version: 1,
    content: text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] })),
  }),
  userQuery: (accountId) => ({ accountId }),
  projects: (call) =>
    readProjects((startAt) =>
      call(`${api}/project/search`, { query: { startAt, maxResults: 50, expand: 'issueTypes' } }),
    ),
  async findMany(call, ids) {
    const found: FoundIssues = { issues: [], unread: [] };
    for (let from = 0; from < ids.length; from += MAX_BULK) {
      const body = { issueIdsOrKeys: ids.slice(from, from + MAX_BULK), fields: ticketFields.split(',') };
      // A read, although it is a POST.
      const answer = await call(`${api}/issue/bulkfetch`, { method: 'POST', body, isRepeatable: true });
      const { issues, issueErrors } = bulk.parse(answer);
      found.issues.push(...issues);
      found.unread.push(...issueErrors.map(({ id }) => id));
    }
    return found;
  },
  history: (call, id) =>
    readHistory((startAt) =>
      call(`${api}/issue/${encodeURIComponent(id)}/changelog`, { query: { startAt, maxResults: 100 } }),
    ),
  search: async (call, jql) =>
    listed.parse(await call(`${api}/search/jql`, { query: { jql, fields: ticketFields, maxResults: 1 } })).issues,
};

const listed = z.object({ issues: z.array(z.unknown()) });

// Issues that do not exist, or that the token does not see, are in neither list. `issueErrors` has those that could not be
// returned, such as for their size: without a second read they would count as deleted.
const bulk = listed.extend({
  issueErrors: z.array(z.object({ id: z.union([z.string(), z.number()]).transform(String) })).default([]),
});

export const connector: TrackerConnector = {
  name: 'jira-cloud',
  needsURL: true,
  needsEmail: true,
  defaultURL: '',
  open: (outbound, connection, budget) => openJira(outbound, connection, budget, cloud),
  webhook: jiraWebhook,
};
