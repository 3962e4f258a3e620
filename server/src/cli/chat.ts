import { chatServices, chatServiceTitles } from '@sightline/contract/delivery/chat.ts';
import { Invalid } from '#core/errors.ts';
import { findChatHealth } from '../domains/delivery/chat/queries.ts';
import { deleteService, saveWorkspace } from '../domains/delivery/chat/workspace.ts';
import { aligned, command } from './command.ts';
import { withServices } from './command-resources.ts';
import { bytesOf } from './input-file.ts';
import { operatorActor } from './operator.ts';
import { findOrganization, organizationOption } from './organizations.ts';

const administratorOf = (orgId: string) => ({ orgId, ...operatorActor() });

export const connectSlackCommand = command({
  name: 'chat connect-slack',
  description: 'Connects a Slack workspace, or replaces its token and signing secret, after testing the token.',
  options: {
    org: organizationOption,
    token: { valueName: 'FILE', required: true, description: 'A file with the bot token, which begins with xoxb-.' },
    'signing-secret': { valueName: 'FILE', required: true, description: 'A file with the signing secret of the app.' },
  },
  // Arguments are visible to other processes, so secrets are read from files.
  run: async ({ options }) => {
    const token = await textOf('--token', options.token);
    const signingSecret = await textOf('--signing-secret', options['signing-secret']);
    return withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, options.org);
      const { workspace } = await saveWorkspace(services, administratorOf(id), { token, signingSecret });
      return {
        json: { workspace },
        lines: [`${name} is connected to the Slack workspace ${workspace?.team}. Owners add its channels.`],
      };
    });
  },
});

export const disconnectChatCommand = command({
  name: 'chat disconnect',
  description: 'Deletes the secrets, channels, links of members and undelivered messages of a chat service.',
  valueName: ['SERVICE'],
  options: { org: organizationOption },
  run: ({ words: [typed = ''], options }) => {
    const service = chatServices.find((name) => name === typed);
    if (!service) throw Invalid('SERVICE', `must be one of ${chatServices.join(', ')}`);
    return withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, options.org);
      await deleteService(services, administratorOf(id), service);
      return {
        json: { disconnected: service },
        lines: [`${chatServiceTitles[service]} is disconnected from ${name}.`],
      };
    });
  },
});

export const listChatCommand = command({
  name: 'chat list',
  description: 'Lists the chat services of an organization with their channels, problems and undelivered messages.',
  options: { org: organizationOption },
  run: ({ options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id } = await findOrganization(services, ownerUrl, options.org);
      const states = await services.database.withOrg(id, async (tx) => {
        const found = [];
        for (const service of chatServices) found.push({ service, ...(await findChatHealth(tx, id, service)) });
        return found;
      });
      return {
        json: { services: states },
        lines: aligned(
          states.map(({ service, workspace, channels, people, pending, problem }) => [
            chatServiceTitles[service],
            [
              ...(workspace ? [workspace.team] : []),
              `${channels} channels, ${people} people, ${pending} undelivered messages`,
              ...[workspace?.problem ?? problem].filter((one) => one !== null),
            ].join(', '),
          ]),
        ),
      };
    }),
});

const textOf = async (option: string, path: string): Promise<string> =>
  Buffer.from(await bytesOf(option, path))
    .toString('utf8')
    .trim();
