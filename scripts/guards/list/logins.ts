import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const identity = `${domainsPath}/identity/authentication`;
const linking = domainTest('identity/authentication/linking', 'linking');
const unite = domainTest('identity/authentication/linking', 'unite-persons');
const takeover = domainTest('identity/authentication/linking', 'takeover');

export const loginsGuards: readonly Mutation[] = [
  mutation(
    'Two members are never united by what a code host says',
    `${identity}/linking/hand-over.ts`,
    'if (accounts.size === 2) return;',
    '',
    `${unite} > two members`,
  ),
  mutation(
    'An address that many go by unites nobody',
    'server/src/core/people.ts',
    'if (names.some(isSharedName)) continue;',
    '',
    `${unite} > by a shared address`,
  ),
  mutation(
    'Who unites two persons waits for whoever writes under their names',
    'server/src/core/people.ts',
    " for key share of i'",
    "'",
    `${unite} > assigns concurrent writes`,
  ),
  mutation(
    'Logins are linked to the own account alone',
    `${identity}/linking/link-with.ts`,
    'if (id !== actor.accountId) {',
    "if (id === '') {",
    `${takeover} > 6:`,
  ),
  mutation(
    'An account is proved by a sign-in of lately',
    `${identity}/linking/link-with.ts`,
    'Date.now() / 1000 - auth_time > freshSignInSeconds',
    'auth_time < 0',
    `${takeover} > 3:`,
  ),
  mutation(
    'The token that proves an account was made for the pages',
    `${identity}/linking/link-with.ts`,
    '      audience: webClientId,\n',
    '',
    `${takeover} > 4:`,
  ),
  mutation(
    'The last way in is not disconnected',
    `${identity}/linking/commands.ts`,
    '    if (identity.blocked !== null) throw Conflict(unlinkRefusedMessage);\n',
    '',
    linking,
  ),
  mutation(
    'Another account is merged with its second factor only',
    `${identity}/linking/merge-pages.ts`,
    'if (hasAnyFactor(factors) && !other.whole) {',
    "if (interaction.uid === '') {",
    `${linking} > with a second factor`,
  ),
  mutation(
    'An address that an upstream did not confirm connects nothing',
    `${identity}/upstream/identify.ts`,
    'if (!pending?.person.emailVerified || pending.person.email !== account.email.toLowerCase()) return;',
    'if (pending?.person.email !== account.email.toLowerCase()) return;',
    `${domainTest('identity/authentication/upstream', 'sign-in')} > connects no login by an unconfirmed`,
  ),
  mutation(
    'A login connects itself to no account with a second factor',
    `${identity}/upstream/identify.ts`,
    '    if (hasAnyFactor(await findOwnFactors(tx, account.id))) return;\n',
    '',
    `${domainTest('identity/authentication/upstream', 'sign-in')} > connects no login by an unconfirmed`,
  ),
  mutation(
    'An account changes itself alone',
    `${domainsPath}/identity/accounts/commands.ts`,
    "  if (id !== undefined && id !== actor.accountId) throw NotFound('Account');\n",
    '',
    `${domainTest('identity/accounts')} > changes only its own profile`,
  ),
];
