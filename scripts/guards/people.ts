// Signing in, logins, invitations, organisations: who may be where.
import { features, type Guard, guard } from './guard.ts';

const identity = `${features}/identity`;
const factors = `${features}/second-factors`;
const test = (noun: string, file = 'routes') => `features/${noun}/${file}.test.ts`;
const tokens = test('identity', 'tokens');
const linking = test('identity/linking', 'linking');
const takeover = test('identity/linking', 'takeover');
const secondFactor = test('identity', 'second-factor');

const provider: Guard[] = [
  guard(
    'Of parallel uses of a code one counts',
    `${identity}/adapter.ts`,
    "            .where('consumed_at', 'is', null)\n            .executeTakeFirstOrThrow(),",
    '            .executeTakeFirstOrThrow(),',
    `${tokens} > at the same moment`,
  ),
  guard(
    'A renewal does not bring an ended session back',
    `${identity}/adapter.ts`,
    "if (!row || (model === 'Session' && row.consumed_at)) return undefined;",
    'if (!row) return undefined;',
    `${tokens} > is not brought back`,
  ),
  guard(
    'A code needs a challenge',
    `${identity}/provider.ts`,
    'pkce: { required: () => true },',
    'pkce: { required: () => false },',
    `${tokens} > no challenge`,
  ),
  guard(
    'Tokens are made for our API alone',
    `${identity}/provider.ts`,
    'if (resource !== api) throw new errors.InvalidTarget();',
    '',
    `${tokens} > another audience`,
  ),
  guard(
    'A session does not swallow an invitation',
    `${identity}/policy.ts`,
    "['invitation', 'screen_hint', 'connection', 'link'].some(",
    "['screen_hint', 'connection', 'link'].some(",
    `${test('identity', 'invitations')} > does not swallow`,
  ),
  guard(
    'A renewal needs the second factor that the organisation requires',
    `${identity}/claims.ts`,
    '    if (orgId !== undefined && (await lacksRequiredFactor(database, orgId, accountId))) return undefined;\n',
    '',
    `${secondFactor} > without an organization`,
  ),
  guard(
    'A new password by mail ends every session',
    `${identity}/resets.ts`,
    '    await endSessions(services, tx, link.accountId, () => true);\n',
    '',
    `${test('identity', 'resets')} > a forgotten password`,
  ),
  guard(
    'Another browser confirms an address with the password only',
    `${identity}/confirmations.ts`,
    'if (proof === undefined || chosen === undefined) return false;',
    'if (proof === undefined || chosen === undefined) return true;',
    `${test('identity', 'sign-up')} > another browser`,
  ),
];

const proofs: Guard[] = [
  guard(
    'Delicate changes need a sign-in of lately',
    `${features}/sessions/queries.ts`,
    "    .where('authenticated_at', '>', lately)\n",
    '',
    `${test('second-factors')} > delicate changes`,
  ),
  guard(
    'With a second factor the password proves nothing',
    `${features}/sessions/queries.ts`,
    "  if (hasAny(own)) return [...(own.passkeys ? (['passkey'] as const) : []), 'code'];\n",
    '',
    `${test('second-factors')} > delicate changes`,
  ),
  guard(
    'Nobody ends the session of somebody else',
    `${features}/sessions/commands.ts`,
    ".where('account_id', '=', accountId)\n    .where('ended_at', 'is', null)\n    .forUpdate()",
    ".where('ended_at', 'is', null)\n    .forUpdate()",
    `${test('sessions')} > nobody else`,
  ),
  guard(
    'A code of an authenticator app is good once',
    `${factors}/checks.ts`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the file
    '    .where(sql<boolean>`last_step < ${step}`)\n',
    '',
    `${secondFactor} > no code works twice`,
  ),
  guard(
    'A recovery code is good once',
    `${factors}/recovery-codes.ts`,
    "    .where('used_at', 'is', null)\n",
    '',
    `${secondFactor} > a recovery code`,
  ),
  guard(
    'A challenge is answered once',
    `${factors}/challenges.ts`,
    "    .where('consumed_at', 'is', null)\n    .where('expires_at', '>', sql<Date>`now()`)\n    .executeTakeFirstOrThrow();",
    "    .where('expires_at', '>', sql<Date>`now()`)\n    .executeTakeFirstOrThrow();",
    test('second-factors', 'passkeys'),
  ),
  guard(
    'A passkey that signs in alone checked the person',
    `${factors}/passkeys.ts`,
    'requireUserVerification: whole,',
    'requireUserVerification: false,',
    `${test('second-factors', 'passkeys')} > signs in alone`,
  ),
  guard(
    'An authenticator app is set up by whom it was offered to',
    `${factors}/totp-store.ts`,
    'return owner === accountId && fresh ?',
    'return fresh ?',
    `${test('second-factors')} > a setup is good`,
  ),
  guard(
    'The last factor stays where an organisation requires one',
    `${factors}/commands.ts`,
    '    if (organization !== undefined) {\n',
    "    if (organization === '') {\n",
    `${test('second-factors')} > may require a second factor`,
  ),
];

const logins: Guard[] = [
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
    'Leave to link is given to a session that proved itself lately',
    `${identity}/linking/commands.ts`,
    '    await assertAuthenticatedLately(tx, actor);\n    const wait',
    '    const wait',
    `${linking} > is not fresh`,
  ),
  guard(
    'A login is disconnected by a session that proved itself lately',
    `${identity}/linking/commands.ts`,
    '    await assertAuthenticatedLately(tx, actor);\n    const { connection }',
    '    const { connection }',
    `${linking} > is not fresh`,
  ),
  guard(
    'The last way in is not disconnected',
    `${identity}/linking/commands.ts`,
    '    if (identity.blocked !== null) throw Conflict(unlinkRefusal);\n',
    '',
    linking,
  ),
  guard(
    'Another account is merged with its second factor only',
    `${identity}/linking/merge-pages.ts`,
    'if (hasAny(factors) && !other.whole) {',
    "if (interaction.uid === '') {",
    `${linking} > with a second factor`,
  ),
  guard(
    'An address that an upstream did not confirm connects nothing',
    `${identity}/upstream/recognise.ts`,
    'if (!pending?.person.emailVerified || pending.person.email === undefined) return;',
    'if (pending?.person.email === undefined) return;',
    `${test('identity/upstream', 'sign-in')} > a login connects itself`,
  ),
  guard(
    'A login connects itself to no account with a second factor',
    `${identity}/upstream/recognise.ts`,
    '    if (hasAny(await findOwnFactors(tx, account.id))) return;\n',
    '',
    `${test('identity/upstream', 'sign-in')} > a login connects itself`,
  ),
  guard(
    'An account changes itself alone',
    `${features}/accounts/commands.ts`,
    "  if (id !== undefined && id !== actor.accountId) throw NotFound('The account');\n",
    '',
    `${test('accounts')} > nobody else does`,
  ),
];

const invitations: Guard[] = [
  guard(
    'A deactivated member does not come back by an invitation',
    `${features}/invitations/commands.ts`,
    "if (member?.status === 'deactivated') {",
    'if (member === null) {',
    `${test('invitations')} > lets nobody back in`,
  ),
  guard(
    'An invitation that is over lets nobody in',
    `${features}/invitations/commands.ts`,
    "    if (invitation.state !== 'open') {\n",
    '    if (invitation.state === undefined) {\n',
    `${test('invitations')} > sending again`,
  ),
  guard(
    'An invitation is answered once',
    `${features}/invitations/commands.ts`,
    "    if (invitation.state !== 'open') throw over();\n",
    '',
    `${test('invitations')} > declined by its own person`,
  ),
  guard(
    'An address is written to once a minute',
    `${features}/invitations/invite.ts`,
    'else if (wait > 0) result',
    'else if (wait < 0) result',
    `${test('invitations')} > addresses are invited once`,
  ),
  guard(
    'An address is written to ten times a day',
    `${features}/invitations/invite.ts`,
    'wait: today >= mostToOneADay ?',
    'wait: today < 0 ?',
    `${test('invitations')} > not written to more`,
  ),
  guard(
    'An organisation does not write without end',
    `${features}/invitations/invite.ts`,
    'if (Number(sent) + more <= mostADay) return;',
    'if (sent) return;',
    `${test('invitations')} > not written to more`,
  ),
  guard(
    'A role that is not in use is given to nobody',
    `${features}/roles/queries.ts`,
    'if (!role?.assignable) throw',
    'if (!role) throw',
    `${test('invitations')} > addresses are invited once`,
  ),
  guard(
    'Who may not read invitations sees none',
    `${features}/members/queries.ts`,
    "invitations: reach('read:invitations') !== undefined",
    "invitations: reach('read:org-members') !== undefined",
    `${test('members')} > the list joins`,
  ),
];

const organizations: Guard[] = [
  guard(
    'An organisation is made with a confirmed address',
    `${features}/organizations/commands.ts`,
    'if (!account?.email_verified_at) throw',
    'if (!account) throw',
    `${test('organizations')} > an unconfirmed address`,
  ),
  guard(
    'An account owns twenty organisations at most',
    `${features}/organizations/commands.ts`,
    'if (owned >= mostOwned)',
    'if (owned < 0)',
    `${test('organizations')} > an unconfirmed address`,
  ),
  guard(
    'An organisation is restored for thirty days only',
    `${features}/organizations/archive.ts`,
    'if (Date.now() < restorableUntil(archivedAt).getTime()) return;',
    'if (archivedAt) return;',
    `${test('organizations', 'archive')} > thirty days`,
  ),
  guard(
    'Webhooks wait for as long as their organisation can be restored',
    `${features}/webhooks/retention.ts`,
    '    daysAgo(restorableDays),\n',
    '    daysAgo(0),\n',
    `${test('webhooks', 'retention')} > cannot be restored`,
  ),
  guard(
    'An entry of the audit log is looked for in one organisation',
    `${features}/audit/queries.ts`,
    "    .where('org_id', '=', orgId)\n    .where('id', '=', id)\n    .executeTakeFirst();\n  if (!row) throw NotFound('The entry');",
    "    .where('id', '=', id)\n    .executeTakeFirst();\n  if (!row) throw NotFound('The entry');",
    "house/first-wall.test.ts > 'GET /v2/audit/:auditId'",
  ),
];

export const people: readonly Guard[] = [...provider, ...proofs, ...logins, ...invitations, ...organizations];
