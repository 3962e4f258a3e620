import { connectSaml, type SamlLogin, samlProblemTexts } from '@sightline/contract/identity/saml.ts';
import { Invalid, NotFound } from '#core/errors.ts';
import { deleteSaml, prepareSaml, saveSaml } from '../domains/identity/saml/commands.ts';
import { maybeSamlLogin } from '../domains/identity/saml/queries.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { bytesOf } from './input-file.ts';
import { operatorActor } from './operator.ts';
import { findOrganization } from './organizations.ts';

const valueName = ['SLUG|ID'];

export const connectSamlCommand = command({
  name: 'saml connect',
  description:
    'Connects a SAML 2.0 identity provider of an organization, which verified a domain, or changes its connection.',
  valueName,
  options: {
    name: { valueName: 'NAME', required: true, description: 'The name on the button of the sign-in page.' },
    'metadata-url': { valueName: 'URL', description: 'The metadata of the identity provider.' },
    'metadata-file': { valueName: 'FILE', description: 'The same as a file. Without both, the metadata stay.' },
    groups: { valueName: 'ATTRIBUTE', description: 'The attribute with the groups of a member. Default: none.' },
    'starts-at-provider': { description: 'Let the portal of the identity provider start sign-ins. Default: off.' },
  },
  run: async ({ words: [given = ''], options }) => {
    const url = options['metadata-url'];
    const file = options['metadata-file'];
    if (url !== undefined && file !== undefined) throw Invalid('--metadata-file', 'excludes --metadata-url');
    const xml = file === undefined ? undefined : Buffer.from(await bytesOf('--metadata-file', file)).toString('utf8');
    const { data: body, error } = connectSaml.body.safeParse({
      label: options.name,
      metadata: url === undefined ? (xml === undefined ? null : { xml }) : { url },
      groupsAttribute: options.groups ?? null,
      startsAtProvider: options['starts-at-provider'],
    });
    if (!body) throw Invalid(error.issues[0]?.path.join('.') ?? 'arguments', error.issues[0]?.message ?? 'are invalid');
    return withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const prepared = await prepareSaml(services, id, body);
      const login = await services.database.withOrg(id, (tx) =>
        saveSaml({ services, tx, orgId: id, actor: operatorActor() }, prepared),
      );
      return {
        json: { organization: id, login },
        lines: [`Connected ${login.entityId} to ${name}.`, ...linesOf(login)],
      };
    });
  },
});

export const showSaml = command({
  name: 'saml status',
  description: 'Shows the SAML 2.0 identity provider of an organization, its certificates, and its last problem.',
  valueName,
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      const login = await services.database.withOrg(id, (tx) => maybeSamlLogin(services.config, tx, id));
      if (!login) throw NotFound('SAML login');
      return {
        json: { organization: id, login },
        lines: [`${name}: ${login.label}, ${login.entityId}.`, ...linesOf(login)],
        failed: login.problem !== null,
      };
    }),
});

export const disconnectSamlCommand = command({
  name: 'saml disconnect',
  description:
    'Disconnects the SAML 2.0 identity provider of an organization, and ends the sessions that began with it.',
  valueName,
  options: {},
  run: ({ words: [given = ''] }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id, name } = await findOrganization(services, ownerUrl, given);
      await services.database.withOrg(id, (tx) => deleteSaml({ services, tx, orgId: id, actor: operatorActor() }));
      return { json: { organization: id }, lines: [`The SAML login of ${name} is disconnected.`] };
    }),
});

const linesOf = ({ service, certificates, startUrl, lastSignInAt, problem }: SamlLogin): string[] => [
  `Entity ID and metadata of Sightline: ${service.entityId}`,
  `Reply URL: ${service.callbackUrl}`,
  `Sign-in link: ${startUrl}`,
  ...certificates.map(({ fingerprint, expiresAt }) => `Certificate: ${fingerprint}, until ${expiresAt}`),
  `Last sign-in: ${lastSignInAt ?? 'none yet'}.`,
  ...(problem === null ? [] : [`Refused at ${problem.at}: ${samlProblemTexts[problem.reason]}`]),
];
