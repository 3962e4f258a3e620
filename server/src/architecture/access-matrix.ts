import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { endpointKeyOf } from './requests.ts';

/**
 * The response of every call to every principal. Each row belongs to a request that succeeds for the owner of an
 * organization. The columns are the principals. `ok` is the success status of the endpoint, a number the status of a
 * refusal.
 */
export const principals = [
  // unauthenticated or with an invalid token
  'anonymous',
  'expired',
  'forged',
  'algNone',
  'wrongAudience',
  // an account without a selected organization
  'account',
  // members
  'owner',
  'contributor',
  'reviewer',
  'auditor',
  // the owner of another organization: with its own token and the IDs of the first one, and with a token for the first
  // one
  'otherOwner',
  'intruder',
  // with an unexpired token
  'deactivated',
  'removed',
  // a client with an access key of the organization, with a revoked one, with one of another organization
  'accessKey',
  'revokedKey',
  'otherKey',
  // an extension of the owner, of the owner of the other organization, a disconnected one, one of a deactivated member
  'extension',
  'otherExtension',
  'endedExtension',
  'shutOutExtension',
  // the portal session of an external auditor, and one of another organization's portal
  'portal',
  'otherPortal',
  // a token that a server in direct mode issued for one of its external issuer: to another owner, to one of the other
  // organization, in an ended session, to a deactivated member
  'exchanged',
  'otherExchanged',
  'endedExchanged',
  'shutOutExchanged',
] as const;
export type Principal = (typeof principals)[number];
export type AccessOutcome = 'ok' | `${number}`;

// biome-ignore format: a table is read by its columns
const table = {
  //                                                             anon exp forg none aud  account  own con rev aud  other intr deact remov
  'GET /health/live':                                             'ok  ok  ok   ok  ok   ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /health/ready':                                            'ok  ok  ok   ok  ok   ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/auth/public/connections':                              'ok  ok  ok   ok  ok   ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/auth/public/verification':                            'ok  ok  ok   ok  ok   ok       ok  ok  ok  ok   ok    ok   ok    ok',

  'GET /v2/flags/frontend':                                       '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/flags/frontend':                                      '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/flags/frontend/client/metrics':                       '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/flags/frontend/client/register':                      '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /account/me':                                              '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/auth/register':                                       '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'PUT /account/me/tips/hide':                                    '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'PUT /account/me/onboarding/complete':                          '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/auth/identities':                                      '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/auth/similar-accounts':                                '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/auth/link':                                           '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  // An identity that does not exist. identity/linking tests those of other accounts.
  'PUT /v2/auth/unlink/:id':                                      '401 401 401  401 401  404      404 404 404 404  404   404  404   404',
  'POST /account/me/description':                                 '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/account/sessions':                                     '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'DELETE /v2/account/sessions/:sessionId':                       '401 401 401  401 401  ok       ok  404 404 404  404   404  404   404',
  'DELETE /v2/account/sessions':                                  '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/account/reauthentication':                             '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/account/reauthentication/passkey':                    '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  // Only the owners have a second factor and a password.
  'POST /v2/account/reauthentication':                            '401 401 401  401 401  ok       ok  409 409 409  ok    ok   409   409',
  'PUT /v2/account/password':                                     '401 401 401  401 401  ok       ok  409 409 409  ok    ok   409   409',
  'POST /v2/account/password/link':                               '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/account/second-factors':                               '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/account/second-factors/totp/setup':                   '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  // A setup of one account is invalid input from another.
  'POST /v2/account/second-factors/totp':                         '401 401 401  401 401  ok       ok  400 400 400  400   400  400   400',
  'DELETE /v2/account/second-factors/totp':                       '401 401 401  401 401  ok       ok  404 404 404  404   404  404   404',
  'POST /v2/account/second-factors/passkeys/setup':               '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/account/second-factors/passkeys':                     '401 401 401  401 401  ok       ok  400 400 400  400   400  400   400',
  'DELETE /v2/account/second-factors/passkeys/:passkeyId':        '401 401 401  401 401  ok       ok  404 404 404  404   404  404   404',
  'POST /v2/account/second-factors/recovery-codes':               '401 401 401  401 401  ok       ok  409 409 409  ok    ok   409   409',
  'GET /v2/downloads':                                            '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  // The server fetches nothing from a local address. pictures/routes.test.ts tests pictures that it fetches.
  'GET /v2/pictures':                                             '401 401 401  401 401  400      400 400 400 400  400   400  400   400',
  'GET /v2/extensions':                                           '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'DELETE /v2/extensions/:extensionId':                           '401 401 401  401 401  ok       ok  404 404 404  404   404  404   404',
  'POST /v2/extensions/authorize':                                '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/extensions/settings':                                  '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  // A code and a token that do not exist: domains/identity/extensions tests valid ones.
  'POST /v2/extensions/token':                                    '401 401 401  401 401  401      401 401 401 401  401   401  401   401',
  'POST /v2/extensions/token/renew':                              '401 401 401  401 401  401      401 401 401 401  401   401  401   401',
  'POST /v2/extensions/token/revoke':                             'ok  ok  ok   ok  ok   ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/user/status':                                          '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/user/heartbeat':                                      '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/user/ext-status':                                      '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/auth0mgm/user/organizations':                          '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'POST /v2/auth0mgm/org':                                        '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',
  'GET /v2/auth0mgm/org/allowed':                                 '401 401 401  401 401  ok       ok  ok  ok  ok   ok    ok   ok    ok',

  'GET /v2/auth0mgm/org':                                         '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'PUT /v2/auth0mgm/org':                                         '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/auth0mgm/org/security':                                '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'PUT /v2/auth0mgm/org/security':                                '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/auth0mgm/org/domains':                                '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/auth0mgm/org/domains/:domain/verification':           '401 401 401  401 401  403      409 403 403 403  404   403  403   403',
  'DELETE /v2/auth0mgm/org/domains/:domain':                      '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'DELETE /v2/auth0mgm/user/organizations':                       '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'PUT /v2/auth0mgm/org/archive':                                 '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  // No other principal is a member of an archived organization; that of the other owner is not archived.
  'PUT /v2/auth0mgm/org/restore':                                 '401 401 401  401 401  403      ok  403 403 403  409   403  403   403',
  // An invitation of another account does not exist for the caller.
  'DELETE /v2/auth0mgm/org/:orgId/invitations/:invitationId/decline':
                                                                  '401 401 401  401 401  ok       ok  404 404 404  404   404  404   404',
  'GET /v2/auth0mgm/roles':                                       '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/auth0mgm/org/members/ext-status':                      '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/auth0mgm/org/members':                                 '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/auth0mgm/org/members/summary':                         '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  // A login that no code host has: members/routes.test.ts tests known ones.
  'GET /v2/auth0mgm/org/handles/:handle':                         '401 401 401  401 401  403      404 404 404 404  404   403  403   403',
  'POST /v2/auth0mgm/org/invite':                                 '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'DELETE /v2/auth0mgm/org/invitations/:invitationId':            '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'PATCH /v2/auth0mgm/org/users/:userId/update-role':             '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'PUT /v2/auth0mgm/org/users/:userId/deactivate':                '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'PUT /v2/auth0mgm/org/users/:userId/reinstate':                 '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'DELETE /v2/auth0mgm/org/users/:userId':                        '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  // Contributors see findings of repositories in which they work.
  'GET /v2/vulnerabilities':                                      '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/vulnerabilities/filters/:name':                        '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/vulnerabilities/stats':                                '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/vulnerabilities/export':                               '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/vulnerabilities/:findingId':                           '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  // No code host can show the code: see domains/vulnerabilities/findings/snippet.test.ts.
  'GET /v2/vulnerabilities/:findingId/snippet':                   '401 401 401  401 401  403      502 404 502 502  404   403  403   403',
  'GET /v2/vulnerabilities/:findingId/neighbors':                '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'PUT /v2/vulnerabilities/:findingId/read':                      '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'POST /v2/vulnerabilities/dismiss':                             '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/vulnerabilities/reopen':                              '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  // Contributors may request waivers in repositories in which they work.
  'POST /v2/vulnerabilities/waivers':                             '401 401 401  401 401  403      ok  404 403 403  404   403  403   403',
  'POST /v2/vulnerabilities/:findingId/merge':                    '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/vulnerabilities/:findingId/split':                    '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/integrations':                                         '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/integrations/checkmarx':                               '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  // Only Checkmarx One can validate a key: see domains/vulnerabilities/checkmarx.
  'POST /v2/integrations/checkmarx':                              '401 401 401  401 401  403      400 403 403 403  400   403  403   403',
  'POST /v2/integrations/checkmarx/test':                         '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/integrations/checkmarx/sync':                         '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'DELETE /v2/integrations/checkmarx':                            '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'GET /v2/integrations/checkmarx/projects':                      '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'PUT /v2/integrations/checkmarx/projects/:projectId':           '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/integrations/github/status':                           '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/integrations/github/initiate-install':                 '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  // An expired state and an installation of another organization get the same refusal.
  'GET /v2/integrations/github/finalize-install':                 '401 401 401  401 401  403      ok  403 403 403  403   403  403   403',
  'GET /v2/integrations/github/installations':                    '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'DELETE /v2/integrations/github/installations/:installationId': '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/integrations/gitlab/status-check':                    '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/integrations/gitlab/status-check':                   '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'DELETE /v2/integrations/gitlab/status-check':                 '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'GET /v2/integrations/:provider/connection':                    '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  // Only a host can validate a token, and without a connection there is no selection: see
  // domains/sources/host-connections.
  'POST /v2/integrations/:provider/connection':                   '401 401 401  401 401  403      400 403 403 403  400   403  403   403',
  'GET /v2/integrations/:provider/authorize':                     '401 401 401  401 401  403      409 403 403 403  409   403  403   403',
  'POST /v2/integrations/:provider/authorize':                    '401 401 401  401 401  403      409 403 403 403  409   403  403   403',
  'GET /v2/integrations/:provider/workspaces':                        '401 401 401  401 401  403      409 403 403 403  409   403  403   403',
  'PUT /v2/integrations/:provider/workspaces':                        '401 401 401  401 401  403      409 403 403 403  409   403  403   403',
  'DELETE /v2/integrations/:provider/connection':                 '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'GET /v2/repositories':                                         '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  // The owner works in it: a contributor sees only repositories in which they have worked.
  'GET /v2/repositories/:provider/:repoPath':                     '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/repositories/:repositoryId':                           '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/auth0mgm/org/repos':                                   '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  // The body contains the IDs: an ID that is not offered is invalid input.
  'POST /v2/auth0mgm/org/repos':                                  '401 401 401  401 401  403      ok  403 403 403  400   403  403   403',
  'GET /v2/repositories/:provider/:repoPath/contributors':        '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/repositories/:provider/:repoPath/contributors/merges': '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/repositories/:provider/:repoPath/contributors/merges':
                                                                  '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'DELETE /v2/repositories/:provider/:repoPath/contributors/merges/:mergeId':
                                                                  '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/repositories/:provider/:repoPath/import':             '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/repositories/:provider/:repoPath/pull-requests':       '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/repositories/:provider/:repoPath/pull-requests/meta':  '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/repositories/:provider/:repoPath/pull-requests/:prNumber':
                                                                  '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'POST /v2/events/explore/context':                              '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'POST /v2/events/explore/query':                                '401 401 401  401 401  403      ok  ok  ok  ok   404   403  403   403',
  'POST /v2/events/explore/count':                                '401 401 401  401 401  403      ok  ok  ok  ok   404   403  403   403',
  'POST /v2/events/explore/histogram':                            '401 401 401  401 401  403      ok  ok  ok  ok   404   403  403   403',
  'GET /v2/events/explore/export':                                '401 401 401  401 401  403      ok  ok  ok  ok   404   403  403   403',
  // A finding of the owner, which a contributor does not see.
  'POST /v2/events/explore/contexts':                             '401 401 401  401 401  403      ok  404 ok  ok  404   403  403   403',
  'GET /v2/events/explore/views':                                 '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'POST /v2/events/explore/views':                                '401 401 401  401 401  403      ok  ok  ok  ok   404   403  403   403',
  // Shared by the owner: others may use it but not change it.
  'PATCH /v2/events/explore/views/:viewId':                       '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'DELETE /v2/events/explore/views/:viewId':                      '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/events/explore/values':                                '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  // An event of the owner: a contributor reads only their own events.
  'GET /v2/events/:eventId':                                      '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/events/explore/context/:contextId':                    '401 401 401  401 401  403      ok  ok  ok  ok   404   403  403   403',
  'GET /v2/audit':                                                '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/audit/filters':                                        '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/audit/export':                                         '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/audit/:auditId':                                       '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'GET /v2/ledger':                                               '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/ledger/checkpoint':                                    '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/ledger/tile/:level/:n':                                '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/ledger/entries':                                       '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/ledger/entries/:entryId/proof':                        '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'GET /v2/ledger/consistency':                                   '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/changes':                                              '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/changes/:id':                                          '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/changes/:id/vsa':                                      '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/controls':                                             '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/controls/overview':                                    '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/controls/:id':                                         '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/controls/:id/runs':                                    '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/controls/:id/rows':                                    '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/controls/:id/sample':                                  '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/controls/:id/settings':                                '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/controls/:id/tasks/:taskId':                           '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'GET /v2/snapshots':                                            '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'POST /v2/snapshots':                                           '401 401 401  401 401  403      ok  403 ok  403  ok    403  403   403',
  'GET /v2/snapshots/:snapshotId':                                '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'GET /v2/snapshots/:snapshotId/bundle':                         '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'GET /v2/snapshots/:snapshotId/diff':                           '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'GET /v2/auditor-portals':                                                '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'POST /v2/auditor-portals':                                               '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'GET /v2/auditor-portals/:portalId':                                        '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'DELETE /v2/auditor-portals/:portalId':                                     '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'POST /v2/auditor-portals/:portalId/requests/:requestId/answer':            '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  // A portal opens with a link and never with a token, not even of its owner: see domains/compliance/auditor-portals.
  'POST /v2/portal/enter':                                          '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId':                                         '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId/status':                                    '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId':                   '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId':
                                                                  '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/rows':
                                                                  '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/sample':
                                                                  '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/changes/:entry':    '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/bundle':            '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/portal/:portalId/requests':                                '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'POST /v2/portal/:portalId/requests':                               '404 404 404  404 404  404      404 404 404 404  404   404  404   404',
  'GET /v2/audit-streams':                                        '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/audit-streams':                                       '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'GET /v2/audit-streams/:streamId':                              '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'PATCH /v2/audit-streams/:streamId':                            '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'DELETE /v2/audit-streams/:streamId':                           '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/audit-streams/:streamId/secret':                      '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/audit-streams/:streamId/test':                        '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/evidence-destinations':                                            '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'POST /v2/evidence-destinations':                                           '401 401 401  401 401  403      ok  403 ok  403  ok    403  403   403',
  'GET /v2/evidence-destinations/:destinationId':                                '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'PATCH /v2/evidence-destinations/:destinationId':                              '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'DELETE /v2/evidence-destinations/:destinationId':                             '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'POST /v2/evidence-destinations/:destinationId/test':                          '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'GET /v2/evidence-destinations/:destinationId/deliveries':                     '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'POST /v2/evidence-destinations/:destinationId/deliveries':                    '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'GET /v2/evidence-destinations/:destinationId/deliveries/:deliveryId':         '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'POST /v2/evidence-destinations/:destinationId/deliveries/:deliveryId/redeliver':  '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'POST /v2/controls/run':                                        '401 401 401  401 401  403      ok  403 ok  403  ok    403  403   403',
  'POST /v2/controls/:id/run':                                    '401 401 401  401 401  403      ok  403 ok  403  ok    403  403   403',
  'GET /v2/me/personal-data':                                         '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/me/personal-data/export':                                  '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/erasures':                                             '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/erasures':                                            '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/erasures/:erasureId/decision':                        '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/me/erasure':                                          '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'DELETE /v2/me/erasure':                                        '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/ledger/anchors':                                       '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'POST /v2/ledger/anchors':                                      '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'PATCH /v2/ledger/anchors/:anchorId':                           '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'DELETE /v2/ledger/anchors/:anchorId':                          '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/ledger/anchors/:anchorId/publish':                      '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/ledger/anchors/:anchorId/confirmations':              '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/ledger/anchors/:anchorId/attempts':                    '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'GET /v2/ledger/receipts':                                    '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/ledger/receipts/receipt':                            '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'POST /v2/events/user':                                         '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'POST /v2/tools/inventory':                                     '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'POST /v2/tools/inventory/export':                              '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/tools/filters':                                        '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/tools/:toolId':                                        '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/tools/:toolId/detections':                             '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/tools/:toolId/people':                                 '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/tools/:toolId/projects':                               '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'PUT /v2/user/tools':                                           '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  // An upload covers the repositories of all members: access to own repositories does not suffice.
  'POST /v2/repositories/:provider/:repoPath/sarif':              '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/repositories/:provider/:repoPath/alerts':              '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'POST /v2/repositories/:provider/:repoPath/alerts':             '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/repositories/:provider/:repoPath/scans':               '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'PUT /v2/repositories/:provider/:repoPath/missing-classes':    '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/scans/:scanId':                                        '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'GET /v2/notifications':                                        '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/notifications/count':                                  '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'POST /v2/notifications/status':                                '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/notifications/search':                                 '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'PUT /v2/notifications/:notificationId/saved':                  '401 401 401  401 401  403      ok  404 404 404  404   403  403   403',
  'GET /v2/notifications/settings':                               '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'PUT /v2/notifications/settings':                               '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/notifications/defaults':                               '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'PUT /v2/notifications/defaults/:role':                         '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'GET /v2/access-reviews':                                       '401 401 401  401 401  403      ok  403 ok  ok   ok    403  403   403',
  'GET /v2/access-reviews/:reviewId':                             '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'GET /v2/access-reviews/:reviewId/items':                       '401 401 401  401 401  403      ok  403 ok  ok   404   403  403   403',
  'POST /v2/access-reviews/:reviewId/decisions':                  '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'POST /v2/access-reviews/:reviewId/signature':                  '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'GET /v2/access-keys':                                          '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/access-keys':                                         '401 401 401  401 401  403      ok  403 403 403  400   403  403   403',
  'DELETE /v2/access-keys/:accessKeyId':                          '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  // Contributors see waivers without a repository only if they requested them.
  'GET /v2/policies':                                             '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/policies/kinds':                                       '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/policies/status':                                      '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/policies/:policyId':                                   '401 401 401  401 401  403      ok  ok  ok  ok   404   403  403   403',
  'POST /v2/policies':                                            '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'PUT /v2/policies/:policyId':                                   '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'DELETE /v2/policies/:policyId':                                '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/policies/:policyId/restore':                          '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/policies/dry-run':                                    '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/policies/:policyId/dry-run':                          '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/waivers':                                           '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'POST /v2/waivers':                                          '401 401 401  401 401  403      ok  404 403 403  ok    403  403   403',
  'POST /v2/waivers/:waiverId/decision':                       '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'DELETE /v2/waivers/:waiverId':                              '401 401 401  401 401  403      ok  404 403 403  404   403  403   403',
  'GET /v2/digests':                                              '401 401 401  401 401  403      ok  ok  ok  ok   ok    403  403   403',
  'GET /v2/digests/:digestId':                                    '401 401 401  401 401  403      ok  404 ok  ok   404   403  403   403',
  'POST /v2/digests/:digestId/review':                            '401 401 401  401 401  403      ok  403 ok  403  404   403  403   403',
  'GET /v2/outgoing-webhooks':                                    '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'POST /v2/outgoing-webhooks':                                   '401 401 401  401 401  403      ok  403 403 403  ok    403  403   403',
  'GET /v2/outgoing-webhooks/:webhookId':                         '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'PATCH /v2/outgoing-webhooks/:webhookId':                       '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'DELETE /v2/outgoing-webhooks/:webhookId':                      '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/outgoing-webhooks/:webhookId/secret':                 '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/outgoing-webhooks/:webhookId/test':                   '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/outgoing-webhooks/:webhookId/deliveries':              '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'GET /v2/outgoing-webhooks/:webhookId/deliveries/:deliveryId':
                                                                  '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
  'POST /v2/outgoing-webhooks/:webhookId/deliveries/:deliveryId/redeliver':
                                                                  '401 401 401  401 401  403      ok  403 403 403  404   403  403   403',
} as const satisfies Record<string, string>;

/** The last three columns of the calls that accept access keys. All others treat a key like no token. */
const byKey: Partial<Record<string, string>> = {
  'POST /v2/repositories/:provider/:repoPath/sarif': 'ok 401 404',
  'GET /v2/scans/:scanId': 'ok 401 404',
};

/** The four columns of the calls that accept extensions. All others refuse their audience. */
const byExtension: Partial<Record<string, string>> = {
  'GET /v2/extensions/settings': 'ok ok 401 403',
  'GET /v2/user/ext-status': 'ok ok 401 403',
  'GET /v2/user/status': 'ok ok 401 403',
  'POST /v2/user/heartbeat': 'ok ok 401 403',
  'POST /v2/events/explore/context': 'ok ok 401 403',
  'POST /v2/events/user': 'ok ok 401 403',
  'PUT /v2/user/tools': 'ok ok 401 403',
};

const extensionCells = (key: string, people: readonly string[]): readonly (string | undefined)[] => {
  const [anonymous] = people;
  // A call without authentication ignores tokens.
  if (people.every((cell) => cell === anonymous)) return Array.from({ length: 4 }, () => anonymous);
  return (byExtension[key] ?? '401 401 401 401').split(' ');
};

/** The two columns of the calls that accept portal sessions. All others ignore their cookie. */
const byPortal: Partial<Record<string, string>> = {
  'GET /v2/portal/:portalId': 'ok 404',
  'GET /v2/portal/:portalId/status': 'ok 404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId': 'ok 404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId': 'ok 404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/rows': 'ok 404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/sample': 'ok 404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/changes/:entry': 'ok 404',
  'GET /v2/portal/:portalId/snapshots/:snapshotId/bundle': 'ok 404',
  'GET /v2/portal/:portalId/requests': 'ok 404',
  'POST /v2/portal/:portalId/requests': 'ok 404',
};

/**
 * The responses to the two owners with an exchanged token, where they differ from those to the owner and the owner of
 * the other organization: for the owner's own items, and where a password or a second factor is required, which they do
 * not have.
 */
const byExchanged: Partial<Record<string, string>> = {
  'DELETE /v2/account/sessions/:sessionId': '404 404',
  'DELETE /v2/account/second-factors/passkeys/:passkeyId': '404 404',
  'DELETE /v2/account/second-factors/totp': '404 404',
  'DELETE /v2/extensions/:extensionId': '404 404',
  'DELETE /v2/auth0mgm/org/:orgId/invitations/:invitationId/decline': '404 404',
  'POST /v2/account/reauthentication': '409 409',
  'PUT /v2/account/password': '409 409',
  'POST /v2/account/second-factors/recovery-codes': '409 409',
  'POST /v2/account/second-factors/passkeys': '400 400',
  'POST /v2/account/second-factors/totp': '400 400',
  'PUT /v2/auth0mgm/org/security': '409 409',
  'DELETE /v2/waivers/:waiverId': '403 404',
  'DELETE /v2/me/erasure': '404 404',
  'PATCH /v2/events/explore/views/:viewId': '403 404',
  'PUT /v2/notifications/:notificationId/saved': '404 404',
};

/** The four columns of exchanged tokens, which count as tokens that this server issued to their owners. */
const exchangedCells = (key: string, people: readonly string[]): readonly (string | undefined)[] => {
  const [anonymous, , , , , , owner, , , , other, , deactivated] = people;
  const [ours = owner, theirs = other] = byExchanged[key]?.split(' ') ?? [];
  return [ours, theirs, anonymous, deactivated];
};

/** Outcomes by method and path, then by principal. */
export const accessMatrix: Record<string, Record<Principal, AccessOutcome>> = Object.fromEntries(
  Object.entries(table).map(([key, row]) => {
    const people = row.split(/ +/);
    const keys = byKey[key]?.split(' ') ?? Array.from({ length: 3 }, () => people[0]);
    const portals = byPortal[key]?.split(' ') ?? Array.from({ length: 2 }, () => people[0]);
    const cells = [...people, ...keys, ...extensionCells(key, people), ...portals, ...exchangedCells(key, people)];
    if (cells.length !== principals.length) throw new Error(`${key} has ${cells.length} cells`);
    return [key, Object.fromEntries(principals.map((principal, column) => [principal, cells[column]]))];
  }),
) as Record<string, Record<Principal, AccessOutcome>>;

/**
 * Returns the status that the example request of an endpoint gets for the owner: its success status, or that of the
 * refusal.
 */
export function statusForOwner(endpoint: Endpoint): number {
  const outcome = accessMatrix[endpointKeyOf(endpoint)]?.owner ?? 'ok';
  return outcome === 'ok' ? (endpoint.status ?? 200) : Number(outcome);
}
