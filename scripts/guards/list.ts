import { features, type Guard, guard } from './guard.ts';
import { people } from './people.ts';

const house = (name: string) => `house/${name}.test.ts`;
const [access, reach, sockets, shutOut, firstWall, tenancy] = [
  house('access'),
  house('reach'),
  house('sockets'),
  house('shut-out'),
  house('first-wall'),
  house('tenancy'),
];

/** The row of one call in the matrix of who may do what. Names past forty letters are cut in the names of tests. */
const matrix = (call: string) => `${access} > '${call.length > 36 ? call.slice(0, 36) : `${call}'`}`;

const core = 'server/src/core';
const migrations = 'server/src/database/migrations';

const tokens: Guard[] = [
  {
    name: 'A token is signed by us',
    file: `${core}/tokens.ts`,
    changes: [
      ['await jwtVerify(token, keys, {', 'await (async (..._: unknown[]) => ({ payload: decodeJwt(token) }))(keys, {'],
      ['import { errors, ', 'import { decodeJwt, errors, '],
    ],
    tests: [access],
    only: "'GET /account/me' is answered",
  },
  guard('A token is for this API', `${core}/tokens.ts`, '      audience,\n', '', matrix('GET /account/me')),
  guard('A token is from our issuer', `${core}/tokens.ts`, '      issuer,\n      audience', '      audience', reach),
  guard('A token is an access token', `${core}/tokens.ts`, "      typ: 'at+jwt',\n", '', reach),
  guard(
    'A token ends',
    `${core}/tokens.ts`,
    "typ: 'at+jwt',",
    "typ: 'at+jwt', currentDate: new Date(0),",
    matrix('GET /account/me'),
  ),
  guard(
    'A token of a session that was ended is refused',
    `${core}/ended-sessions.ts`,
    'if (claims?.sessionId !== undefined && (await ended.has(claims.sessionId))) return undefined;',
    '',
    'features/sessions/routes.test.ts',
  ),
];

const members: Guard[] = [
  guard(
    'A call needs a permission',
    `${core}/actor.ts`,
    'if (permission && !reachOf(',
    'if (!permission && !reachOf(',
    matrix('GET /v2/auth0mgm/org/security'),
  ),
  guard(
    'The deactivated are no members',
    `${core}/actor.ts`,
    " and m.status <> 'deactivated'",
    '',
    matrix('GET /v2/auth0mgm/org/security'),
  ),
  guard(
    'A membership that ended is forgotten at once',
    `${features}/members/commands.ts`,
    '    memberships.forget(userId);\n',
    '',
    shutOut,
  ),
  guard(
    'Whoever is shut out loses their sockets',
    `${features}/members/commands.ts`,
    '    realtime.cut(userId, orgId);\n',
    '',
    shutOut,
  ),
  guard(
    'Every node forgets a membership that ended',
    `${core}/realtime.ts`,
    "io.on('forget', (accountId) => memberships.forget(accountId));",
    '',
    shutOut,
  ),
  guard(
    'Every node learns of an archived organisation',
    `${core}/realtime.ts`,
    "io.on('forgetOrganization', (orgId) => memberships.forgetOrganization(orgId));",
    '',
    shutOut,
  ),
  guard(
    'A flag that is off hides its calls',
    `${core}/route.ts`,
    'if (endpoint.flag && !(await',
    'if (!endpoint && !(await',
    house('flags'),
  ),
  guard(
    'An archived organisation only reads',
    `${core}/route.ts`,
    'if (isArchived(request.actor) && ',
    'if (!request.id && ',
    `${house('archived')} > 'PUT /v2/auth0mgm/org'`,
  ),
  guard(
    'The last owner stays when owners leave',
    `${features}/organizations/commands.ts`,
    "if (gone.role_id === 'rol_owner' && (await findScene(tx, actor)).activeOwners === 0) {",
    'if (gone.role_id === undefined) {',
    'features/organizations/routes.test.ts',
  ),
  guard(
    'Owners who leave at the same moment see each other',
    `${features}/members/queries.ts`,
    ".where('id', '=', actor.orgId).forUpdate().execute();",
    ".where('id', '=', actor.orgId).execute();",
    'features/organizations/routes.test.ts',
  ),
];

const rowActions: Guard[] = [
  guard(
    'The only owner is not acted upon',
    'contract/src/member-actions.ts',
    "    if (isOnlyOwner(subject, scene)) return 'sole_owner';\n",
    '',
    'contract/src/member-actions.test.ts',
  ),
  guard(
    'Nobody acts upon themselves',
    'contract/src/member-actions.ts',
    "    if (subject.userId === scene.actor.accountId) return 'self';\n",
    '',
    'contract/src/member-actions.test.ts',
  ),
  guard(
    'The server asks the rules before it shuts anybody out',
    `${features}/members/commands.ts`,
    "    check('deactivate', member, scene);\n",
    '',
    'features/members/routes.test.ts',
  ),
  guard(
    'The server asks the rules before it ends a membership',
    `${features}/members/commands.ts`,
    "    check('delete', member, scene);\n",
    '',
    'features/members/routes.test.ts',
  ),
  guard(
    'A role is changed only from what it was',
    `${features}/members/commands.ts`,
    'if (member.roleId !== oldRole) {',
    'if (member.roleId === undefined) {',
    'features/members/routes.test.ts',
  ),
];

const ownReach: Guard[] = [
  guard(
    'A contributor finds only their own events',
    `${features}/events/queries.ts`,
    "actor.reach('read:events') === 'own' ? { is:",
    "actor.reach('read:events') === undefined ? { is:",
    reach,
  ),
  guard(
    'A contributor opens only their own events',
    `${features}/events/queries.ts`,
    "$if(actor.reach('read:events') === 'own'",
    "$if(actor.reach('read:events') === undefined",
    matrix('GET /v2/events/:eventId'),
  ),
  guard(
    'A contributor sees only repositories they worked in',
    `${features}/repositories/queries.ts`,
    "$if(reach('read:github-repos') !== 'all'",
    "$if(reach('read:github-repos') === undefined",
    matrix('GET /v2/repositories/:provider/:repoPath'),
  ),
];

const organizations: Guard[] = [
  guard(
    'A table has a tenant policy',
    `${migrations}/0002-code-hosts.sql`,
    "array['installation', ",
    'array[',
    tenancy,
  ),
  guard(
    'Its owner is held by it too',
    `${migrations}/0003-events.sql`,
    "    execute format('alter table %I force row level security', name);\n",
    '',
    tenancy,
  ),
  guard(
    'The server can change no audit entry',
    `${migrations}/0001-foundation.sql`,
    'revoke update, delete on audit_event, ledger_pending from sightline_app;',
    '',
    tenancy,
  ),
  guard(
    'An event is looked for in one organisation',
    `${features}/events/queries.ts`,
    "      .where('e.org_id', '=', actor.orgId)\n",
    '',
    `${firstWall} > 'GET /v2/events/:eventId'`,
  ),
  guard(
    'An organisation is found by the token',
    `${features}/organizations/queries.ts`,
    ".where('o.id', '=', orgId).executeTakeFirst()",
    ".orderBy('o.id').executeTakeFirst()",
    `${firstWall} > 'GET /v2/auth0mgm/org'`,
  ),
  guard(
    'Another organisation cannot be named in a change',
    `${features}/organizations/commands.ts`,
    "  if (id !== undefined && id !== orgId) throw NotFound('The organisation');\n",
    '',
    matrix('PUT /v2/auth0mgm/org'),
  ),
];

const realtime: Guard[] = [
  guard(
    'A socket needs a token',
    `${core}/realtime.ts`,
    "if (!claims) throw new Error('no token');",
    'if (!claims) return;',
    sockets,
  ),
  guard(
    'A socket in the name of an organisation needs a member',
    `${core}/realtime.ts`,
    "if (!(await memberships.find(claims.orgId, claims.accountId))) throw new Error('not a member');",
    '',
    sockets,
  ),
  guard(
    'A socket ends with its token',
    `${core}/realtime.ts`,
    'const timer = setTimeout(() => socket.disconnect(true),',
    'const timer = setTimeout(() => undefined,',
    sockets,
  ),
  guard(
    'Pages of other sites open no socket',
    `${core}/realtime.ts`,
    'done(null, sameOrigin(request.headers.origin, origin))',
    'done(null, true)',
    sockets,
  ),
  guard(
    'News of an organisation reaches its members only',
    `${core}/realtime.ts`,
    '.to(room.org(orgId)).emit(',
    '.emit(',
    sockets,
  ),
  guard(
    'News of an account reaches it only',
    `${core}/realtime.ts`,
    '.to(room.account(accountId)).emit(',
    '.emit(',
    sockets,
  ),
];

const invitations: Guard[] = [
  guard(
    'An invitation is for its address',
    `${features}/invitations/commands.ts`,
    'if (invitation.email !== account.email.toLowerCase()) {',
    'if (invitation.email === undefined) {',
    'features/identity/invitations.test.ts',
  ),
  guard(
    'Only the invited decline',
    `${features}/invitations/commands.ts`,
    "if (!invitation || invitation.email !== account.email.toLowerCase()) throw NotFound('The invitation');",
    "if (!invitation) throw NotFound('The invitation');",
    matrix('DELETE /v2/auth0mgm/org/:orgId/invitations/:invitationId/decline'),
  ),
  guard(
    'Strangers get no code for an organisation',
    `${features}/identity/policy.ts`,
    "    throw new errors.AccessDenied('you are not a member of this organization');\n",
    '',
    'features/identity/invitations.test.ts',
  ),
  guard(
    'A code whose member was removed since gives no token',
    `${features}/identity/claims.ts`,
    '    if (orgId !== undefined && !role) return undefined;\n',
    '',
    'features/identity/invitations.test.ts',
  ),
];

const codeHosts: Guard[] = [
  guard(
    'The state of an installation is for one account',
    `${features}/github/install-state.ts`,
    "    .where('account_id', '=', actor.accountId)\n",
    '',
    'features/github/routes.test.ts',
  ),
  guard(
    'A used state is good for no other installation',
    `${features}/github/connect.ts`,
    '      throw staleState();\n    }\n    const installation',
    '      return answer;\n    }\n    const installation',
    'features/github/routes.test.ts',
  ),
  guard(
    'The person’s own token lists the installation',
    `${features}/github/connect.ts`,
    'if ((await github.listUserInstallations(token)).includes(id)) return installation;',
    'if (token) return installation;',
    'features/github/routes.test.ts',
  ),
  guard(
    'A webhook is signed',
    'server/src/providers/github/signature.ts',
    'timingSafeEqual(given, expected)',
    'given.length > 0',
    'features/webhooks/routes.test.ts',
  ),
];

const signIn: Guard[] = [
  guard(
    'A form comes from a page of ours in the same browser',
    `${features}/identity/csrf.ts`,
    'return expected.length === given.length && timingSafeEqual(expected, given);',
    'return true;',
    'features/identity/sign-in.test.ts',
  ),
  guard(
    'Guesses are limited',
    `${core}/attempts.ts`,
    '  if (longest > 0) return longest;\n',
    '',
    'core/attempts.test.ts',
  ),
  guard(
    'A second factor is asked for',
    `${features}/identity/policy.ts`,
    'if (!account || !session || provedFactor(ctx)) return false;',
    'if (ctx) return false;',
    'features/identity/second-factor.test.ts > after the password',
  ),
  guard(
    'Logins are linked by a fresh session only',
    `${features}/identity/linking/link-with.ts`,
    '  await requireFresh(site, actor);',
    '',
    'features/identity/linking/takeover.test.ts > 12:',
  ),
  guard(
    'Leave to link is for the account that asked',
    `${features}/identity/linking/link-routes.ts`,
    'if (session !== ticket.accountId) {',
    'if (session === undefined) {',
    'features/identity/linking/takeover.test.ts > 9:',
  ),
  guard(
    'A login at an upstream ends in the browser that began it',
    `${features}/identity/upstream/states.ts`,
    'if (journey.browser !== browser) return',
    'if (journey.browser === undefined) return',
    'features/identity/linking/takeover.test.ts > 7:',
  ),
  guard(
    'An answer of an upstream is good once',
    `${features}/identity/upstream/states.ts`,
    'if (row.consumed_at) return',
    'if (row.consumed_at === undefined) return',
    'features/identity/linking/takeover.test.ts > 7:',
  ),
  guard(
    'An unconfirmed address makes nobody similar',
    `${features}/identity/linking/queries.ts`,
    'a.email_verified_at is not null and ',
    '',
    'features/identity/linking/linking.test.ts > similar',
  ),
];

const input: Guard[] = [
  {
    name: 'What a call does not know is refused',
    file: `${core}/route.ts`,
    changes: [['const nothing = z.strictObject({});', 'const nothing = z.object({});']],
    tests: [house('bad-input')],
    only: 'GET /account/me.* refuses a query parameter it does not know',
  },
  guard(
    'A way back is a path of this site',
    'contract/src/github.ts',
    String.raw`/^\/(?![/\\])[^\\\s]*$/`,
    '/^/',
    'contract/src/github.test.ts',
  ),
  guard(
    'Addresses given by people are public ones',
    `${core}/outbound.ts`,
    'if (!allowed && !isPublic(address.address)) throw',
    'if (!address.address) throw',
    'core/outbound.test.ts',
  ),
  guard(
    'A secret opens only where it was put',
    `${core}/secrets.ts`,
    'JSON.stringify([version, org, table, field])',
    'JSON.stringify([version, typeof org, typeof table, typeof field])',
    'core/secrets.test.ts',
  ),
];

const checkmarx = 'features/checkmarx';
const scanners: Guard[] = [
  guard(
    'A base URL is looked at before anybody is called',
    'server/src/providers/checkmarx/client.ts',
    "if (given !== undefined) await transport.check('baseURL', given);",
    '',
    `${checkmarx}/hostile.test.ts`,
  ),
  guard(
    'A key is for the tenant that was typed',
    'server/src/providers/checkmarx/key.ts',
    'if (own !== undefined && own.toLowerCase() !== tenant.toLowerCase()) throw wrongTenant(tenant, own);',
    '',
    `${checkmarx}/routes.test.ts`,
  ),
  guard(
    'A kept key goes nowhere but where it was given for',
    `server/src/${checkmarx}/check.ts`,
    'if (!row?.secret || kept === undefined || isElsewhere)',
    'if (!row?.secret || kept === undefined)',
    `${checkmarx}/routes.test.ts`,
  ),
  guard(
    "A scanner's webhook is signed with the secret of its organisation",
    `server/src/${checkmarx}/hook.ts`,
    "return isSignedByCheckmarx(secret, body, header(request, 'x-cx-webhook-signature')) ? orgId : undefined;",
    'return secret ? orgId : undefined;',
    `${checkmarx}/hook.test.ts`,
  ),
  guard(
    'An answer that is no list of results is not taken for an empty one',
    'server/src/providers/checkmarx/reads.ts',
    'if (!answer.success)\n    throw',
    'if (session === undefined)\n    throw',
    `${checkmarx}/fixtures.test.ts`,
  ),
  guard(
    'A scan of which an engine failed lets nothing count as fixed',
    `server/src/${checkmarx}/take.ts`,
    'complete: scan.complete,',
    'complete: true,',
    `${checkmarx}/routes.test.ts`,
  ),
];

const findings: Guard[] = [
  guard(
    'Results are taken for repositories of the organisation that are enabled, and no others',
    `${features}/findings/intake.ts`,
    ".where('tracked', '=', true)",
    '',
    'features/findings/intake.test.ts',
  ),
  guard(
    'An archived organisation takes no scan in',
    `${features}/findings/intake.ts`,
    'if (await isArchived(tx, orgId)) throw Archived();',
    '',
    'features/findings/intake.test.ts',
  ),
  guard(
    'A scan of which results were lost lets nothing count as fixed',
    `${features}/findings/finish.ts`,
    'kept?.count !== scan.received',
    'kept === undefined',
    'features/findings/intake.test.ts',
  ),
  guard(
    'What people decided stands over what scanners say',
    `${features}/findings/status.ts`,
    'when f.decided is not null then f.decided',
    '',
    'features/findings/intake.test.ts',
  ),
  guard(
    'A part of the results fixes nothing',
    `${features}/findings/match.ts`,
    'const gone = scan.complete ?',
    'const gone = !scan.complete || scan.complete ?',
    'features/findings/intake.test.ts',
  ),
  guard(
    'What was split by hand is not put together again',
    `${features}/findings/same-place.ts`,
    's.fingerprint = i.fingerprint and not s.apart',
    's.fingerprint = i.fingerprint',
    'features/findings/intake.test.ts',
  ),
  guard(
    'The reason of an error that is not for people is not shown',
    `${features}/findings/intake.ts`,
    'reason instanceof Refusal ? reason.message : undefined',
    'reason instanceof Error ? reason.message : undefined',
    'features/findings/intake.test.ts',
  ),
  guard(
    'What secret scanning tells is stored without the secret',
    `${features}/webhooks/routes.ts`,
    'body: withoutSecrets(event, text)',
    'body: text',
    'features/alerts/alerts.test.ts',
  ),
  guard(
    'A branch counts as gone only while its repository is in reach',
    `${features}/alerts/reading.ts`,
    'if (error instanceof HostRefused) return;',
    '',
    'features/alerts/alerts.test.ts',
  ),
  guard(
    'The default branch is never gone',
    `${features}/findings/commands.ts`,
    "and a.ref <> 'refs/heads/' || r.default_branch",
    '',
    'features/alerts/alerts.test.ts',
  ),
  guard(
    'A reader with reach over their own sees findings of no other repository',
    `${features}/findings/scope.ts`,
    "reader.reach('read:vulnerabilities') !== 'all'",
    'false',
    'features/findings/routes.test.ts',
  ),
  guard(
    'What is found in a disabled repository is shown to nobody',
    `${features}/findings/scope.ts`,
    'await disabledWithFindings(tx, orgId)',
    '[]',
    'features/findings/routes.test.ts',
  ),
  guard(
    'One finding is there only for whoever sees its repository',
    `${features}/findings/queries.ts`,
    "if (!isSeen) throw NotFound('That vulnerability');",
    "if (!row) throw NotFound('That vulnerability');",
    'features/findings/routes.test.ts',
  ),
  guard(
    'No cell of an export is a formula',
    `${core}/csv.ts`,
    'formula.test(line)',
    'false',
    'features/findings/exports/exports.test.ts',
    'features/audit/routes.test.ts',
  ),
  guard(
    'Code is shown of findings that the reader sees',
    `${features}/findings/excerpt-place.ts`,
    'await findStanding(tx, actor, id);',
    '',
    'features/findings/excerpt.test.ts',
  ),
  guard(
    'A line that holds a secret is not shown',
    `${features}/findings/excerpt-lines.ts`,
    'if (holds(from + index)) return',
    'if (holds(-from - index)) return',
    'features/findings/excerpt.test.ts',
  ),
];

const uploadTests = 'features/sarif/routes.test.ts';
const keyTests = 'features/access-keys/routes.test.ts';
const uploads: Guard[] = [
  guard(
    'A revoked access key is none',
    `${core}/access-keys.ts`,
    ' and k.revoked_at is null and (k.expires_at',
    ' and (k.expires_at',
    uploadTests,
  ),
  guard(
    'An access key expires',
    `${core}/access-keys.ts`,
    ' and (k.expires_at is null or k.expires_at > now())',
    '',
    keyTests,
  ),
  guard(
    'An access key is not used without end',
    `${core}/access-keys.ts`,
    '  if (wait > 0) {',
    '  if (wait > 1e9) {',
    keyTests,
  ),
  guard(
    'An access key is good for its repository only',
    `${features}/sarif/commands.ts`,
    'if (!row || isForAnother)',
    'if (!row)',
    uploadTests,
  ),
  guard(
    'An access key is good for the calls that say so',
    `${core}/route.ts`,
    'token !== undefined && endpoint.accessKey && isAccessKey(token)',
    'token !== undefined && isAccessKey(token)',
    matrix('GET /v2/auth0mgm/org'),
  ),
  guard(
    'Whoever writes to own findings only uploads nothing',
    `${features}/sarif/commands.ts`,
    "if (!isKeyActor(actor) && actor.reach('write:findings') !== 'all')",
    "if (!isKeyActor(actor) && actor.reach('write:findings') === undefined)",
    uploadTests,
  ),
  guard(
    'An upload ends at 100 MB, counted after unpacking',
    `${features}/sarif/spool.ts`,
    'if (bytes > mostUploadBytes) throw',
    'if (bytes < 0) throw',
    uploadTests,
  ),
  guard(
    'A file that is none is refused before anything of it is kept',
    `${features}/sarif/read.ts`,
    '    refuseOthers(log);\n',
    '',
    uploadTests,
  ),
];

const triageTests = 'features/triage/routes.test.ts';
const rescanTests = 'features/triage/rescans.test.ts';
const triage: Guard[] = [
  {
    name: 'Whoever asked for an exception does not decide about it',
    file: `${features}/triage/exceptions.ts`,
    changes: [
      [
        'if (await isSelf(tx, actor, exception.requested_by)) {\n      throw Conflict',
        'if (exception.id === "") {\n      throw Conflict',
      ],
    ],
    tests: [triageTests],
  },
  guard(
    'Another account of the same person is the same person',
    `${features}/triage/exceptions.ts`,
    '  if (found) return true;\n',
    '',
    triageTests,
  ),
  guard(
    'An exception is decided once',
    `${features}/triage/exceptions.ts`,
    "if (state !== 'requested') throw",
    "if (state === '') throw",
    triageTests,
  ),
  guard(
    'An exception ends in the future, and within a year',
    `${features}/triage/exceptions.ts`,
    'if (!isExceptionEnd(until, new Date())) {',
    'if (Number.isNaN(until.getTime())) {',
    triageTests,
  ),
  guard(
    'Only whoever asked takes a request back',
    `${features}/triage/exceptions.ts`,
    'if (!(await isSelf(tx, actor, exception.requested_by))) {',
    'if (exception.id === "") {',
    triageTests,
  ),
  guard(
    'A decision counts by the role of the moment',
    `${features}/triage/targets.ts`,
    'roleId === undefined || !reachOf(roleId, permission)',
    'roleId === undefined',
    triageTests,
  ),
  guard(
    'Who reaches own repositories only decides about no other',
    `${features}/triage/targets.ts`,
    ".$if(actor.reach('write:findings') === 'own',",
    ".$if(actor.reach('write:findings') === undefined,",
    triageTests,
  ),
  guard(
    'Who reaches own repositories only may ask, and not decide',
    `${features}/triage/commands.ts`,
    "if (actor.reach('write:findings') !== 'all') {",
    "if (actor.reach('write:findings') === undefined) {",
    triageTests,
  ),
  guard(
    'Exceptions of an archived organisation do not end',
    `${features}/triage/jobs.ts`,
    'if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;',
    '',
    'features/triage/jobs.test.ts',
  ),
  {
    name: 'Findings of two repositories are never one',
    file: `${features}/triage/merge.ts`,
    changes: [['repositoryId !== survivor.repositoryId', 'repositoryId === ""']],
    tests: [rescanTests],
    only: 'merging',
  },
  {
    name: 'A split leaves something behind',
    file: `${features}/triage/split.ts`,
    changes: [['if (chosen.length === all.length) throw', 'if (all.length === 0) throw']],
    tests: [rescanTests],
    only: 'splitting',
  },
];

const extensionSignIn = 'features/extensions/routes.test.ts';
const extensionEnding = 'features/extensions/ending.test.ts';
const extensions: Guard[] = [
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

const presenceSockets = 'features/presence/sockets.test.ts';

const presence: Guard[] = [
  guard(
    'What a socket sends is checked',
    `${core}/sockets.ts`,
    'if (!payload.success) throw wrong(payload.error);',
    '',
    presenceSockets,
  ),
  guard(
    'A socket asks no more than its share',
    `${core}/sockets.ts`,
    'if (!mayAsk()) throw',
    'if (mayAsk() === undefined) throw',
    presenceSockets,
  ),
  guard(
    'An older connection takes nothing from a newer one',
    `${features}/presence/commands.ts`,
    'or holder = $5)',
    'or $5 is not null)',
    presenceSockets,
  ),
  guard(
    'Who was shut out is disconnected at once',
    `${features}/presence/sockets.ts`,
    "if (how !== 'cut') return how === 'left';",
    "if (how !== undefined) return how === 'left';",
    presenceSockets,
  ),
  guard(
    'A repository is asked about on sockets only by who sees it',
    `${features}/presence/asks.ts`,
    "if (readable.length === 0) throw NotFound('That repository');",
    '',
    presenceSockets,
  ),
  guard(
    'There is no history on sockets while Explore is off',
    `${features}/presence/asks.ts`,
    'if (!(await mayExplore(services, actor))) throw NotFound();',
    '',
    presenceSockets,
  ),
  guard(
    'A repository of another host is not taken for the one here',
    `${features}/presence/editor.ts`,
    "named.length === 1 && !remote.host.includes('.')",
    'named.length === 1',
    'features/presence/routes.test.ts',
  ),
  guard(
    'A deactivated member is not among the connected',
    `${features}/presence/queries.ts`,
    " and m.status <> 'deactivated' group",
    ' group',
    'features/presence/routes.test.ts',
  ),
];

const toolScans: Guard[] = [
  guard(
    'Nothing is looked for in an archived organisation',
    `${features}/tools/scan/scene.ts`,
    ' || (await isArchived(tx, orgId))',
    '',
    'features/tools/scan/scan.test.ts',
  ),
  guard(
    'Nothing is looked for in a disabled repository',
    `${features}/tools/scan/scene.ts`,
    ".where('r.tracked', '=', true)",
    '',
    'features/tools/scan/scan.test.ts',
  ),
  guard(
    'A branch that the host does not show takes no tools away',
    `${features}/tools/scan/scan.ts`,
    'error.status === 404 && scene.files.size === 0',
    'error.status === 404',
    'features/tools/scan/scan.test.ts',
  ),
  guard(
    'Of a command its verb is kept, and nothing that may be a secret',
    `${features}/tools/detect/commands.ts`,
    `secondWord.test(verb) ? \`$\{name} $\{verb}\` : name`,
    "[name, ...args].join(' ')",
    'features/tools/detect/shell.test.ts',
  ),
  guard(
    'What others wrote names no tools of a repository',
    `${features}/tools/detect/detect.ts`,
    'foreign.test(path)',
    "path === ''",
    'features/tools/detect/detect.test.ts',
  ),
];

const inventory: Guard[] = [
  guard(
    'A contributor sees the tools of their own repositories',
    `${features}/tools/scope.ts`,
    'only: isOwn ? await listReadable(tx, reader) : undefined',
    'only: isOwn ? await listReadable(tx, { ...reader, reach: () => "all" }) : undefined',
    'features/tools/routes.test.ts',
  ),
  guard(
    'Of the people who have a tool a contributor sees nobody but themselves',
    `${features}/tools/scope.ts`,
    'people: isOwn ? [reader.personId] : undefined',
    'people: undefined',
    'features/tools/routes.test.ts',
  ),
  guard(
    'The tools of a disabled repository are shown to nobody',
    `${features}/tools/scope.ts`,
    'except: isOwn ? [] : await disabledWithTools(tx, orgId)',
    'except: []',
    'features/tools/routes.test.ts',
  ),
  guard(
    'A contributor is not told who brought a tool',
    `${features}/tools/detections.ts`,
    'addedBy: isSeen(scope, row.person_id) ? row.added_by : null',
    'addedBy: row.added_by',
    'features/tools/routes.test.ts',
  ),
  guard(
    'The places of a tool are there for those who see the tool',
    `${features}/tools/detail.ts`,
    'if (total > 0) return scope;',
    'if (total >= 0) return scope;',
    'features/tools/routes.test.ts',
  ),
  guard(
    'A repository of the same name elsewhere is another repository',
    `${features}/tools/commands.ts`,
    'return wanted.has(',
    'return host !== undefined || wanted.has(',
    'features/tools/routes.test.ts',
  ),
];

const browserExtension = 'extensions/browser/src';
const browserTest = (name: string) => `${browserExtension}/background/${name}.test.ts`;
const browserExtensions: Guard[] = [
  guard(
    'A page in a private window is not reported',
    `${browserExtension}/background/pages.ts`,
    'tab.incognito || ',
    '',
    browserTest('pages'),
  ),
  guard(
    'A page of a site that is not reported is not',
    `${browserExtension}/background/pages.ts`,
    'siteOf(tab.url, await allowedSites())',
    'siteOf(tab.url, [new URL(tab.url).hostname])',
    browserTest('pages'),
  ),
  guard(
    'A site that the browser does not let be seen is not reported',
    `${browserExtension}/background/sites.ts`,
    'return sites.filter((_, index) => permitted[index]);',
    'return permitted.length === 0 ? [] : sites;',
    browserTest('sites'),
  ),
  guard(
    'Nothing is recorded while its person paused it',
    `${browserExtension}/background/recording.ts`,
    " && !isPaused((await kept.get('pause')) ?? null, Date.now())",
    " || isPaused((await kept.get('pause')) ?? null, Date.now())",
    browserTest('pages'),
    browserTest('clipboard'),
  ),
  guard(
    'A copy from a frame of another site is not reported',
    `${browserExtension}/background/clipboard.ts`,
    "sender.url ?? sender.tab.url ?? ''",
    "sender.tab.url ?? ''",
    browserTest('clipboard'),
  ),
  guard(
    'A copy in a private window is not reported',
    `${browserExtension}/background/clipboard.ts`,
    'sender.tab.incognito || ',
    '',
    browserTest('clipboard'),
  ),
  guard(
    'A password that is copied is not looked at',
    `${browserExtension}/copied-text.ts`,
    "target.type === 'password'",
    "target.type === ''",
    `${browserExtension}/copied-text.test.ts`,
  ),
  guard(
    'A code is taken with the state it was asked with',
    `${browserExtension}/background/signing-in.ts`,
    " || searchParams.get('state') !== pending.state",
    '',
    browserTest('signing-in'),
  ),
  guard(
    'A code is taken from the own server',
    `${browserExtension}/background/signing-in.ts`,
    'origin !== pending.server || ',
    '',
    browserTest('signing-in'),
  ),
  guard(
    'A code is taken once',
    `${browserExtension}/background/signing-in.ts`,
    'await inTurn(() => codeIn(tab))',
    'await codeIn(tab)',
    browserTest('signing-in'),
  ),
  guard(
    'Only pages of the extension command its background',
    `${browserExtension}/entrypoints/background.ts`,
    '|| !sender.url?.startsWith(',
    '|| sender.id?.startsWith(',
    browserTest('background'),
  ),
  guard(
    'A server is reached over TLS, unless it is on this machine',
    `${browserExtension}/server-address.ts`,
    "if (url.protocol === 'http:' && !own.has(url.hostname)) {",
    "if (url.protocol === 'gopher:' && !own.has(url.hostname)) {",
    `${browserExtension}/server-address.test.ts`,
  ),
];

const told = 'features/events/told.test.ts';
const telemetry = 'extensions/telemetry/src';
const reporting: Guard[] = [
  guard(
    'Of an event of an extension only what has the form of its name is kept',
    `${features}/events/identifiers.ts`,
    'value !== undefined && (formOf(type, name) ?? forms[name]).test(value)',
    'value !== undefined',
    told,
  ),
  guard(
    'A query that cannot be read is refused at its place',
    `${features}/events/queries.ts`,
    "if ('problem' in parsed) throw refusalOf(parsed.problem);",
    "if ('problem' in parsed) return questionOf(services, actor, { context, query: '', offset }, filters);",
    'features/events/language.test.ts',
  ),
  guard(
    'A repository that is not enabled is not named',
    `${features}/events/told.ts`,
    "if (!repository) return say.add('in a repository that is not enabled');",
    '',
    told,
  ),
  guard(
    'An event leaves the queue only once the server has counted it',
    `${telemetry}/verdict.ts`,
    "isAnswer(reply.body) ? settled(reply.body, batch) : { kind: 'wait' }",
    'settled(reply.body as Answer, batch)',
    `${telemetry}/sender.test.ts`,
  ),
  guard(
    'The events of one account are not sent with the sign-in of another',
    `${telemetry}/sender.ts`,
    ', (event) => isOf(event, who)',
    '',
    `${telemetry}/sender.test.ts`,
  ),
  guard(
    'An editor tells no branch of a repository that is not enabled',
    `${features}/presence/sockets.ts`,
    'branch: opened.repository ? given.branch : null',
    'branch: given.branch',
    house('canary'),
  ),
];

/** Every guard whose loss a test must notice. A new guard gets its row here, or in the file of its noun. */
export const guards: readonly Guard[] = [
  ...tokens,
  ...members,
  ...rowActions,
  ...ownReach,
  ...organizations,
  ...realtime,
  ...invitations,
  ...codeHosts,
  ...signIn,
  ...people,
  ...scanners,
  ...input,
  ...findings,
  ...uploads,
  ...triage,
  ...extensions,
  ...presence,
  ...toolScans,
  ...inventory,
  ...browserExtensions,
  ...reporting,
];
