import {
  defaultRoleIds,
  directoryProductNames,
  directoryProducts,
  PREVIOUS_TOKEN_HOURS,
} from '@sightline/contract/organization/directory.ts';
import { Invalid } from '#core/errors.ts';
import { deleteDirectory, insertDirectory, rotateToken } from '../domains/organization/directory/commands.ts';
import { findDirectory, findDirectoryProblems } from '../domains/organization/directory/queries.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActor } from './operator.ts';
import { findOrganization } from './organizations.ts';

const valueName = ['SLUG|ID'];

/** The short names of the default roles on the command line. */
const roleNamed = (given: string | undefined) => {
  if (given === undefined || given === 'none') return null;
  const role = defaultRoleIds.find((id) => id === `rol_${given}`);
  if (!role) throw Invalid('--default-role', 'must be contributor, reviewer, auditor or none');
  return role;
};

export const connectDirectoryCommand = command({
  name: 'directory connect',
  description: 'Connects a directory of an organization over SCIM 2.0, and prints its token once.',
  valueName,
  options: {
    product: { valueName: 'NAME', description: `One of ${directoryProducts.join(', ')}. Default: other.` },
    'default-role': {
      valueName: 'ROLE',
      description: 'The role of new members whose groups give none: contributor, reviewer, auditor or none (default).',
    },
  },
  run: ({ words: [given = ''], options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const product = directoryProducts.find((name) => name === (options.product ?? 'other'));
      if (!product) throw Invalid('--product', `must be one of ${directoryProducts.join(', ')}`);
      const defaultRole = roleNamed(options['default-role']);
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const { token, directory } = await services.database.withOrg(id, (tx) =>
        insertDirectory({ services, tx, orgId: id, actor: operatorActor() }, { product, defaultRole, createdBy: null }),
      );
      return {
        json: { organization: id, url: directory.url, token },
        lines: [`Connected a directory to ${name}.`, `Address: ${directory.url}`, `Token: ${token}`],
      };
    }),
});

export const rotateDirectoryTokenCommand = command({
  name: 'directory rotate-token',
  description: `Prints a new token for the directory of an organization. The previous one stays valid for ${PREVIOUS_TOKEN_HOURS} hours.`,
  valueName,
  options: { 'revoke-previous': { description: 'Revoke the previous token at once.' } },
  run: ({ words: [given = ''], options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id } = await findOrganization(services, ownerUrl, given);
      const { token, directory } = await services.database.withOrg(id, (tx) =>
        rotateToken({ services, tx, orgId: id, actor: operatorActor() }, options['revoke-previous']),
      );
      return {
        json: { organization: id, token, previousTokenUntil: directory.previousTokenUntil },
        lines: [`Token: ${token}`],
      };
    }),
});

export const disconnectDirectoryCommand = command({
  name: 'directory disconnect',
  description: 'Disconnects the directory of an organization. Members keep their access.',
  valueName,
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      await services.database.withOrg(id, (tx) => deleteDirectory({ services, tx, orgId: id, actor: operatorActor() }));
      return {
        json: { organization: id },
        lines: [`The directory of ${name} is disconnected. Members keep their access.`],
      };
    }),
});

export const showDirectory = command({
  name: 'directory status',
  description: 'Shows the directory of an organization, and what is missing before its users can be members.',
  valueName,
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const { directory, problems } = await services.database.withOrg(id, async (tx) => ({
        directory: await findDirectory(services, tx, id),
        problems: await findDirectoryProblems(services, tx, id),
      }));
      const { product, users, groups, lastRequestAt } = directory;
      return {
        json: { organization: id, directory, problems },
        lines: [
          `${name}: ${directoryProductNames[product]}, ${users.active} active and ${users.inactive} inactive users, ${groups} groups.`,
          `Last request: ${lastRequestAt ?? 'none yet'}.`,
          ...problems,
        ],
        failed: problems.length > 0,
      };
    }),
});
