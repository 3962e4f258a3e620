import { core, features, type Guard, guard, house, matrix } from '../guard.ts';

const sockets = house('sockets');
const extensionSignIn = 'features/extensions/routes.test.ts';
const extensionEnding = 'features/extensions/ending.test.ts';

export const extensionsGuards: readonly Guard[] = [
  guard(
    'The token of an extension is good for what extensions may ask',
    `${core}/route.ts`,
    "if (claims?.extension && !endpoint.extension) throw Forbidden('An extension may not ask for this.');",
    '',
    matrix('GET /v2/auth0mgm/org'),
  ),
  guard(
    'An extension speaks for a member, also where it asks about the account',
    `${core}/route.ts`,
    "if (endpoint.scope === 'account' && !claims?.extension) {",
    "if (endpoint.scope === 'account') {",
    matrix('GET /v2/user/status'),
  ),
  guard(
    'An extension connects where extensions may',
    `${core}/realtime.ts`,
    "if (claims.extension && !extensionNamespaces.includes(namespace)) throw new Error('not for extensions');",
    '',
    sockets,
  ),
  guard(
    'The code of an extension is good once',
    `${features}/extensions/sign-in.ts`,
    `delete from extension_code where org_id = $1 and hash = $2
             returning account_id, side, type, device, challenge, expires_at > now() as fresh`,
    `select account_id, side, type, device, challenge, expires_at > now() as fresh from extension_code
             where org_id = $1 and hash = $2`,
    extensionSignIn,
  ),
  guard(
    'The code of an extension lives for a minute',
    `${features}/extensions/sign-in.ts`,
    'if (!row?.fresh || ',
    'if (!row || ',
    extensionSignIn,
  ),
  guard(
    'A code is for the extension that made its challenge',
    `${features}/extensions/sign-in.ts`,
    ' || !isAnswer(codeVerifier, row.challenge)) return',
    ') return',
    extensionSignIn,
  ),
  guard(
    'Nobody signs an extension in to an archived organisation',
    `${features}/extensions/sign-in.ts`,
    '{ archived: false }',
    '{ archived: true }',
    extensionSignIn,
  ),
  guard(
    'Only owners renew in an archived organisation',
    `${features}/extensions/queries.ts`,
    "(o.archived_at is null or ($3 and m.role_id = 'rol_owner'))",
    '(o.archived_at is null or $3)',
    extensionSignIn,
  ),
  guard(
    'An extension needs the second factor its organisation requires',
    `${features}/extensions/queries.ts`,
    'not o.require_second_factor or',
    'true or',
    extensionSignIn,
  ),
  guard(
    'A refresh token that was revoked is none',
    `${features}/extensions/sign-in.ts`,
    `hash = $2 and revoked_at is null
           and`,
    'hash = $2 and',
    extensionEnding,
  ),
  guard(
    'A refresh token dies unused',
    `${features}/extensions/sign-in.ts`,
    'make_interval(days => $3)',
    'make_interval(days => 10 * $3)',
    extensionSignIn,
  ),
  guard(
    'Codes of extensions are not asked for without end',
    `${features}/extensions/sign-in.ts`,
    '[[limits.extensionByAccount, accountId]]);\n    if (wait > 0)',
    '[[limits.extensionByAccount, accountId]]);\n    if (wait > 1e9)',
    extensionSignIn,
  ),
  guard(
    'Secrets of extensions are not guessed without end',
    `${features}/extensions/sign-in.ts`,
    'throw wait > 0 ? tooManyTries(wait) : Unauthenticated();',
    'throw wait > 1e9 ? tooManyTries(wait) : Unauthenticated();',
    extensionSignIn,
  ),
  guard(
    'Nobody is connected by an extension that ended',
    `${features}/extensions/commands.ts`,
    'await endPresence(realtime, tx, { orgId, accountId, grantIds: ids });',
    '',
    extensionEnding,
  ),
  guard(
    'A heartbeat under a grant that ended connects nobody',
    `${features}/presence/commands.ts`,
    'where $9::uuid is null or exists (select from granted)',
    'where true',
    extensionEnding,
  ),
  guard(
    'An extension that ended loses its sockets',
    `${features}/extensions/commands.ts`,
    'for (const grantId of ids) realtime.cutSession(grantId);',
    '',
    extensionEnding,
  ),
  guard(
    'An extension that ended is refused by other processes too',
    `${core}/ended-sessions.ts`,
    ".unionAll(db.selectFrom('extension_ended').select('grant_id as id').where('ended_at', '>', lately))",
    '',
    extensionEnding,
  ),
  guard(
    'Nobody disconnects the extension of somebody else',
    `${features}/extensions/commands.ts`,
    "    .where('account_id', '=', accountId)\n    .where('revoked_at'",
    "    .where('revoked_at'",
    extensionSignIn,
  ),
  guard(
    'Deactivating a member signs their extensions out',
    `${features}/members/commands.ts`,
    "await endGrants(services, tx, actor.orgId, actor, { accountId, reason: 'deactivated' });",
    '',
    extensionEnding,
  ),
  guard(
    'Removing a member signs their extensions out',
    `${features}/members/commands.ts`,
    "await endGrants(services, tx, orgId, actor, { accountId, reason: 'removed' });",
    '',
    extensionEnding,
  ),
  guard(
    'Leaving signs extensions out',
    `${features}/organizations/commands.ts`,
    "await endGrants(services, tx, orgId, actor, { accountId, reason: 'left' });",
    '',
    extensionEnding,
  ),
  guard(
    'A changed password signs extensions out too',
    `${features}/identity/password-change.ts`,
    "await endGrantsEverywhere(services, tx, accountId, doerOf, 'password changed');",
    '',
    extensionEnding,
  ),
];
