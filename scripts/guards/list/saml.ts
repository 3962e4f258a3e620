import { domainsPath, type Mutation, mutation } from '../guard.ts';

const folder = 'server/src/providers/upstream/saml';
const authentication = `${domainsPath}/identity/authentication`;
const test = 'providers/upstream/saml/login.test.ts';
const signInTest = 'domains/identity/saml/sign-in.test.ts';
const isolationTest = 'domains/identity/saml/isolation.test.ts';

export const samlGuards: readonly Mutation[] = [
  mutation(
    'requires a signature of the assertion itself',
    `${folder}/checks.ts`,
    "  if (!assertion || childrenOf(assertion, SIGNATURE_NAMESPACE, 'Signature').length === 0)\n    throw new SamlRefused('unsigned', 'the assertion has no signature of its own');\n",
    '',
    `${test} > an unsigned assertion in a signed response`,
  ),
  mutation(
    'verifies the signature of the assertion by the connected certificates',
    `${folder}/login.ts`,
    'wantAssertionsSigned: true,',
    'wantAssertionsSigned: false,',
    `${test} > an assertion of another key in a signed response`,
  ),
  mutation(
    'refuses comments',
    `${folder}/checks.ts`,
    "  [/<!--/, 'unreadable', 'the response contains a comment'],\n  [/<!\\[CDATA\\[/, 'unreadable', 'the response contains a CDATA section'],\n  [/<!/, 'unreadable', 'the response contains a declaration'],\n",
    '',
    `${test} > a comment in the NameID`,
  ),
  mutation(
    'refuses a second assertion',
    `${folder}/checks.ts`,
    '    if (countElements(withoutDeclaration, name) !== 1)\n',
    '    if (countElements(withoutDeclaration, name) < 1)\n',
    `${test} > 7: another assertion inside extensions, with the same schema`,
  ),
  mutation(
    'refuses responses with too many elements before they are verified',
    `${folder}/checks.ts`,
    "if (withoutDeclaration.split('<').length > MAX_TAGS)",
    'if (withoutDeclaration.length > MAX_RESPONSE_LENGTH)',
    `${test} > a response with too many elements`,
  ),
  mutation(
    'accepts assertions for its own request only',
    `${folder}/checks.ts`,
    'const own = data.filter(({ $ }) => $?.InResponseTo === requestId);',
    'const own = data;',
    `${test} > an assertion that no request asked for`,
  ),
  mutation(
    'accepts assertions for its own address only',
    `${folder}/checks.ts`,
    'const here = own.filter(({ $ }) => $?.Recipient === callbackUrl);',
    'const here = own;',
    `${test} > another recipient`,
  ),
  mutation(
    'accepts responses to its own destination only',
    `${folder}/checks.ts`,
    "if (destination !== '' && destination !== callbackUrl)",
    "if (destination === 'none')",
    `${test} > another destination`,
  ),
  mutation(
    'accepts assertions of the connected identity provider only',
    `${folder}/checks.ts`,
    "  if (issuer?._ !== entityId) throw new SamlRefused('issuer', 'the assertion is of another identity provider');\n",
    '',
    `${test} > another issuer`,
  ),
  mutation(
    'requires a recent sign-in if asked',
    `${folder}/checks.ts`,
    'if (fresh && !(Date.now() - at < MAX_AGE_MS))',
    'if (fresh && !statement)',
    `${test} > an old sign-in if a recent one is required`,
  ),
  mutation(
    'accepts addresses of verified domains only',
    `${folder}/login.ts`,
    'if (!domains.includes(domainOf(email)))',
    "if (email === '')",
    `${test} > an address of a domain that the organization did not verify`,
  ),
  mutation(
    'reads no metadata with a document type',
    `${folder}/metadata.ts`,
    "  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) return { problem: 'contains a document type, which is not accepted' };\n",
    '',
    `${test} > refuses`,
  ),
  mutation(
    'signs in to accounts of verified domains only',
    `${authentication}/upstream/identify.ts`,
    '      if (!mayUse(person, owner.email)) return { notAdmitted: true };\n',
    '',
    `${isolationTest} > gives no access to an account with an address of another domain`,
  ),
  mutation(
    'lets no other organization require a SAML login',
    `${domainsPath}/organization/organization-security/commands.ts`,
    'const isForeign = isSamlConnection(connection) && connection !== samlConnectionOf(actor.orgId);',
    'const isForeign = false;',
    `${isolationTest} > cannot require the provider`,
  ),
  mutation(
    'keeps sessions of a SAML login out of other organizations',
    `${authentication}/policy.ts`,
    '  if (isOfAnotherOrganization(identity, orgId)) return true;\n',
    '',
    `${isolationTest} > a session of the login does not enter another organization of the member; another sign-in does`,
  ),
  mutation(
    'lets sessions of a SAML login add no sign-in method of a shared account',
    'server/src/core/step-up.ts',
    '  if (foreign)\n',
    '  if (foreign && !actor.accountId)\n',
    `${isolationTest} > a session of the login adds no sign-in method while the account belongs to another organization too`,
  ),
  mutation(
    'gives sessions of a SAML login no powers of an operator',
    `${domainsPath}/platform/operator/queries.ts`,
    ".where('s.connection', 'like', 'saml-%')",
    ".where('s.connection', '=', 'none')",
    `${isolationTest} > a session of the login has no powers of an operator`,
  ),
  mutation(
    'merges no account that a SAML login proves',
    `${authentication}/upstream/callback-routes.ts`,
    "upstream.kind === 'saml'",
    "upstream.kind === 'github'",
    `${isolationTest} > the login does not prove an account that another one is merged into`,
  ),
  mutation(
    'takes groups of a SAML login for its organization only',
    `${authentication}/upstream/groups.ts`,
    ': ownOrgId === orgId;',
    ': ownOrgId !== undefined;',
    `${signInTest} > groups give roles in the organization of the login only`,
  ),
  mutation(
    'receives responses only to sign-ins that began here',
    `${authentication}/upstream/saml-routes.ts`,
    '    if (!(await isPendingState(tx, state, connection))) return false;\n',
    '',
    `${signInTest} > refuses a response twice, of another sign-in, of another organization, and without a sign-in`,
  ),
  mutation(
    'starts no sign-in for the portal of a provider by default',
    `${authentication}/upstream/saml-routes.ts`,
    'if (await startsAtProvider(services, orgId))',
    'if (orgId)',
    `${signInTest} > refuses a response twice, of another sign-in, of another organization, and without a sign-in`,
  ),
  mutation(
    'limits SAML requests of one network',
    `${authentication}/upstream/saml-routes.ts`,
    'return waitSeconds > 0 ?',
    'return waitSeconds > 1e9 ?',
    `${signInTest} > limits unauthenticated requests of one network`,
  ),
];
