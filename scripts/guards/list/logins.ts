import { domains, type Guard, guard, test } from '../guard.ts';

const identity = `${domains}/identity/authentication`;
const linking = test('identity/authentication/linking', 'linking');
const unite = test('identity/authentication/linking', 'unite-persons');
const takeover = test('identity/authentication/linking', 'takeover');

export const loginsGuards: readonly Guard[] = [
  guard(
    'Two members are never united by what a code host says',
    `${identity}/linking/hand-over.ts`,
    'if (accounts.size === 2) return;',
    '',
    `${unite} > two members`,
  ),
  guard(
    'An address that many go by unites nobody',
    'server/src/core/people.ts',
    'if (names.some(isSharedName)) continue;',
    '',
    `${unite} > by a shared address`,
  ),
  guard(
    'Who unites two persons waits for whoever writes under their names',
    'server/src/core/people.ts',
    " for key share of i'",
    "'",
    `${unite} > assigns concurrent writes`,
  ),
  guard(
    'Logins are linked to the own account alone',
    `${identity}/linking/link-with.ts`,
    'if (id !== actor.accountId) {',
    "if (id === '') {",
    `${takeover} > 6:`,
  ),
  guard(
    'An account is proved by a sign-in of lately',
    `${identity}/linking/link-with.ts`,
    'Date.now() / 1000 - auth_time > freshSignInSeconds',
    'auth_time < 0',
    `${takeover} > 3:`,
  ),
  guard(
    'The token that proves an account was made for the pages',
    `${identity}/linking/link-with.ts`,
    '      audience: webClientId,\n',
    '',
    `${takeover} > 4:`,
  ),
  guard(
    'The last way in is not disconnected',
    `${identity}/linking/commands.ts`,
    '    if (identity.blocked !== null) throw Conflict(unlinkRefusedMessage);\n',
    '',
    linking,
  ),
  guard(
    'Another account is merged with its second factor only',
    `${identity}/linking/merge-pages.ts`,
    'if (hasAnyFactor(factors) && !other.whole) {',
    "if (interaction.uid === '') {",
    `${linking} > with a second factor`,
  ),
  guard(
    'An address that an upstream did not confirm connects nothing',
    `${identity}/upstream/identify.ts`,
    'if (!pending?.person.emailVerified || pending.person.email !== account.email.toLowerCase()) return;',
    'if (pending?.person.email !== account.email.toLowerCase()) return;',
    `${test('identity/authentication/upstream', 'sign-in')} > connects no login by an unconfirmed`,
  ),
  guard(
    'A login connects itself to no account with a second factor',
    `${identity}/upstream/identify.ts`,
    '    if (hasAnyFactor(await findOwnFactors(tx, account.id))) return;\n',
    '',
    `${test('identity/authentication/upstream', 'sign-in')} > connects no login by an unconfirmed`,
  ),
  guard(
    'An account changes itself alone',
    `${domains}/identity/accounts/commands.ts`,
    "  if (id !== undefined && id !== actor.accountId) throw NotFound('Account');\n",
    '',
    `${test('identity/accounts')} > changes only its own profile`,
  ),
];
