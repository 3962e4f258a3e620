import { domainsPath, type Mutation, mutation } from '../guard.ts';

const folder = 'server/src/providers/upstream/saml';
const test = 'providers/upstream/saml/login.test.ts';
const signInTest = 'domains/identity/saml/sign-in.test.ts';

export const samlGuards: readonly Mutation[] = [
  mutation(
    'requires a signature of the assertion itself',
    `${folder}/login.ts`,
    'wantAssertionsSigned: true,',
    'wantAssertionsSigned: false,',
    `${test} > an unsigned assertion in a signed response`,
  ),
  mutation(
    'refuses comments',
    `${folder}/checks.ts`,
    "  [/<!--/, 'the response contains a comment'],\n  [/<!\\[CDATA\\[/, 'the response contains a CDATA section'],\n  [/<!/, 'the response contains a declaration'],\n",
    '',
    `${test} > a comment in the NameID`,
  ),
  mutation(
    'accepts assertions for its own request only',
    `${folder}/checks.ts`,
    '        $?.InResponseTo === requestId &&\n        $.Recipient === callbackUrl &&',
    '        $?.Recipient === callbackUrl &&',
    `${test} > an assertion that no request asked for`,
  ),
  mutation(
    'accepts assertions for its own address only',
    `${folder}/checks.ts`,
    '        $.Recipient === callbackUrl &&\n',
    '',
    `${test} > another recipient`,
  ),
  mutation(
    'accepts assertions of the connected identity provider only',
    `${folder}/checks.ts`,
    "  if (issuer?._ !== entityId) throw new UpstreamRefused('the assertion is of another identity provider');\n",
    '',
    `${test} > another issuer`,
  ),
  mutation(
    'accepts addresses of verified domains only',
    `${folder}/login.ts`,
    "if (email === undefined || !domains.includes(email.slice(email.lastIndexOf('@') + 1)))",
    'if (email === undefined)',
    `${test} > an address of a domain that the organization did not verify`,
  ),
  mutation(
    'signs in to accounts of verified domains only',
    `${domainsPath}/identity/authentication/upstream/identify.ts`,
    '      if (!mayUse(person, owner.email)) return { notAdmitted: true };\n',
    '',
    `${signInTest} > gives no access to an account with an address of another domain`,
  ),
  mutation(
    'lets no other organization require a SAML login',
    `${domainsPath}/organization/organization-security/commands.ts`,
    'const isForeign = isSamlConnection(connection) && connection !== samlConnectionOf(actor.orgId);',
    'const isForeign = false;',
    `${signInTest} > another organization cannot require the provider`,
  ),
];
