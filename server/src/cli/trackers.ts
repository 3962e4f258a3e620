import { type TrackerName, trackerNames, trackerTitles } from '@sightline/contract/sources/trackers.ts';
import { Invalid } from '#core/errors.ts';
import { testTrackerConnection } from '../domains/sources/trackers/check.ts';
import { deleteTracker, saveTracker } from '../domains/sources/trackers/connect.ts';
import { maybeTrackerHealth } from '../domains/sources/trackers/queries.ts';
import { findAccountByEmail } from './accounts.ts';
import { aligned, command } from './command.ts';
import { withServices } from './command-resources.ts';
import { secretFrom } from './input-file.ts';
import { operatorActor } from './operator.ts';
import { findOrganization, organizationOption } from './organizations.ts';

const trackerArgument = ['TRACKER'] as const;

export const connectTracker = command({
  name: 'tracker connect',
  description: `Connects an issue tracker (${trackerNames.join(', ')}), or replaces its token, after testing it.`,
  valueName: trackerArgument,
  options: {
    org: organizationOption,
    as: {
      valueName: 'ADDRESS',
      required: true,
      description: 'The email address of the Account Owner who connects it.',
    },
    url: { valueName: 'URL', description: 'The address of the site; not for Linear.' },
    email: { valueName: 'ADDRESS', description: 'Jira Cloud: the email address of the account of the token.' },
    'token-file': { valueName: 'FILE', required: true, description: 'A file that contains the token.' },
  },
  run: async ({ words: [typed = ''], options }) => {
    const tracker = trackerNamed(typed);
    const token = await secretFrom('--token-file', options['token-file']);
    return withServices(async (services, _keys, ownerUrl) => {
      const account = await findAccountByEmail(services, options.as);
      const { id: orgId, name } = await findOrganization(services, ownerUrl, options.org);
      const by = { orgId, accountId: account.id, actor: operatorActor() };
      const { connection } = await saveTracker(services, by, tracker, {
        token,
        ...(options.url !== undefined && { baseURL: options.url }),
        ...(options.email !== undefined && { email: options.email }),
      });
      const projects = connection?.projects ?? 0;
      return {
        json: { tracker, organization: orgId, projects },
        lines: [`${trackerTitles[tracker]} is connected to ${name}. The token can read ${projects} projects.`],
      };
    });
  },
});

export const disconnectTracker = command({
  name: 'tracker disconnect',
  description: 'Disconnects an issue tracker and deletes its token. Recorded tickets are kept.',
  valueName: trackerArgument,
  options: { org: organizationOption },
  run: ({ words: [typed = ''], options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const tracker = trackerNamed(typed);
      const { id: orgId, name } = await findOrganization(services, ownerUrl, options.org);
      // No account is stored by disconnecting.
      await deleteTracker(services, { orgId, accountId: '', actor: operatorActor() }, tracker);
      return {
        json: { tracker, organization: orgId },
        lines: [`${trackerTitles[tracker]} is not connected to ${name}.`],
      };
    }),
});

export const testTracker = command({
  name: 'tracker test',
  description: 'Tests the connection to an issue tracker with its stored token.',
  valueName: trackerArgument,
  options: { org: organizationOption },
  run: ({ words: [typed = ''], options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const tracker = trackerNamed(typed);
      const { id: orgId } = await findOrganization(services, ownerUrl, options.org);
      const checked = await testTrackerConnection(services, orgId, tracker, {});
      return {
        json: checked,
        lines: [checked.ok ? `The token can read ${checked.projects} projects.` : (checked.problem?.message ?? '')],
        failed: !checked.ok,
      };
    }),
});

export const listTrackers = command({
  name: 'tracker list',
  description: 'Lists the issue trackers of an organization with their state.',
  options: { org: organizationOption },
  run: ({ options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id: orgId } = await findOrganization(services, ownerUrl, options.org);
      const trackers = await services.database.withOrg(orgId, async (tx) => {
        const states = [];
        for (const tracker of trackerNames) {
          const health = await maybeTrackerHealth(tx, orgId, tracker);
          states.push({
            tracker,
            status: health?.status ?? 'inactive',
            lastSyncAt: health?.lastSyncAt?.toISOString() ?? null,
            problem: health?.problem?.message ?? null,
          });
        }
        return states;
      });
      return {
        json: { trackers },
        lines: aligned(
          trackers.map(({ tracker, status, lastSyncAt, problem }) => [
            tracker,
            [status, lastSyncAt && `last sync ${lastSyncAt}`, problem].filter((word) => word !== null).join(', '),
          ]),
        ),
      };
    }),
});

function trackerNamed(typed: string): TrackerName {
  const tracker = trackerNames.find((name) => name === typed);
  if (!tracker) throw Invalid(`"${typed}"`, `must be one of ${trackerNames.join(', ')}`);
  return tracker;
}
