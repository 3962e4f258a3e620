import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const identity = `${domainsPath}/identity/authentication`;
const linking = domainTest('identity/authentication/linking', 'linking');
const unite = domainTest('identity/authentication/linking', 'unite-persons');
const takeover = domainTest('identity/authentication/linking', 'takeover');

export const loginsGuards: readonly Mutation[] = [
  mutation(
    'does not merge two members by data of a code host',
    `${identity}/linking/hand-over.ts`,
    'if (accounts.size === 2) return;',
    '',
    `${unite} > two members`,
  ),
  mutation(
    'does not merge persons by a shared address',
    'server/src/core/people.ts',
    'if (names.some(isSharedName)) continue;',
    '',
    `${unite} > by a shared address`,
  ),
  mutation(
    'serializes a merge of persons with concurrent writes under their identities',
    'server/src/core/people.ts',
    " for key share of i'",
    "'",
    `${unite} > assigns concurrent writes`,
  ),
  mutation(
    "links logins only to the actor's own account",
    `${identity}/linking/link-with.ts`,
    'if (id !== actor.accountId) {',
    "if (id === '') {",
    `${takeover} > 6:`,
  ),
  mutation(
    'requires a recent sign-in as proof of an account',
    `${identity}/linking/link-with.ts`,
    'Date.now() / 1000 - auth_time > freshSignInSeconds',
    'auth_time < 0',
    `${takeover} > 3:`,
  ),
  mutation(
    'rejects a proof token that was issued for another client',
    `${identity}/linking/link-with.ts`,
    '      audience: webClientId,\n',
    '',
    `${takeover} > 4:`,
  ),
  mutation(
    'rejects unlinking the last login',
    `${identity}/linking/commands.ts`,
    '    if (identity.blocked !== null) throw Conflict(unlinkRefusedMessage);\n',
    '',
    linking,
  ),
  mutation(
    'requires the second factor of the other account to merge accounts',
    `${identity}/linking/merge-pages.ts`,
    'if (hasAnyFactor(factors) && !other.whole) {',
    "if (interaction.uid === '') {",
    `${linking} > with a second factor`,
  ),
  mutation(
    'links no login by an address that the identity provider did not confirm',
    `${identity}/upstream/identify.ts`,
    'if (!pending?.person.emailVerified || pending.person.email !== account.email.toLowerCase()) return;',
    'if (pending?.person.email !== account.email.toLowerCase()) return;',
    `${domainTest('identity/authentication/upstream', 'sign-in')} > connects no login by an unconfirmed`,
  ),
  mutation(
    'links no login automatically to an account with a second factor',
    `${identity}/upstream/identify.ts`,
    '    if (hasAnyFactor(await findOwnFactors(tx, account.id))) return;\n',
    '',
    `${domainTest('identity/authentication/upstream', 'sign-in')} > connects no login by an unconfirmed`,
  ),
  mutation(
    'rejects changes to another account',
    `${domainsPath}/identity/accounts/commands.ts`,
    "  if (id !== undefined && id !== actor.accountId) throw NotFound('Account');\n",
    '',
    `${domainTest('identity/accounts')} > changes only its own profile`,
  ),
];
