import { accessMatrixTest, corePath, domainsPath, type Mutation, mutation } from '../guard.ts';

const scanners = 'domains/vulnerabilities/scanners';
const uploadTests = 'domains/vulnerabilities/sarif/routes.test.ts';
const keyTests = 'domains/identity/access-keys/routes.test.ts';

export const scansGuards: readonly Mutation[] = [
  mutation(
    'rejects revoked access keys',
    `${corePath}/access-keys.ts`,
    ' and k.revoked_at is null and (k.expires_at',
    ' and (k.expires_at',
    uploadTests,
  ),
  mutation(
    'rejects expired access keys',
    `${corePath}/access-keys.ts`,
    ' and (k.expires_at is null or k.expires_at > now())',
    '',
    keyTests,
  ),
  mutation(
    'limits the use of an access key',
    `${corePath}/access-keys.ts`,
    '  if (wait > 0) {',
    '  if (wait > 1e9) {',
    keyTests,
  ),
  mutation(
    'restricts an access key to its repository',
    `${domainsPath}/vulnerabilities/sarif/commands.ts`,
    'if (!row || isForAnother)',
    'if (!row)',
    uploadTests,
  ),
  mutation(
    'restricts access keys to endpoints that accept them',
    `${corePath}/route.ts`,
    'endpoint.accessKey && isAccessKey(token))\n    return authenticateAccessKey(services.database, { key: token, use: endpoint.accessKey }',
    "isAccessKey(token))\n    return authenticateAccessKey(services.database, { key: token, use: endpoint.accessKey ?? 'sarif' }",
    accessMatrixTest('GET /v2/auth0mgm/org'),
  ),
  mutation(
    'rejects uploads of members who can write only to their own findings',
    `${domainsPath}/vulnerabilities/sarif/commands.ts`,
    "if (!isKeyActor(actor) && actor.reach('write:findings') !== 'all')",
    "if (!isKeyActor(actor) && actor.reach('write:findings') === undefined)",
    uploadTests,
  ),
  mutation(
    'limits uploads to 100 MB after decompression',
    `${domainsPath}/vulnerabilities/sarif/spool.ts`,
    'if (bytes > MAX_UPLOAD_BYTES) throw',
    'if (bytes < 0) throw',
    uploadTests,
  ),
  mutation(
    'rejects invalid SARIF before storing any of it',
    `${domainsPath}/vulnerabilities/sarif/read.ts`,
    '    refuseOthers(log);\n',
    '',
    uploadTests,
  ),
  mutation(
    'validates the base URL before connecting',
    'server/src/providers/checkmarx/client.ts',
    "if (given !== undefined) await transport.check('baseURL', given);",
    '',
    `${scanners}/checkmarx-hostile.test.ts`,
  ),
  mutation(
    'rejects a key of another tenant',
    'server/src/providers/checkmarx/key.ts',
    'if (own !== undefined && own.toLowerCase() !== tenant.toLowerCase()) throw wrongTenant(tenant, own);',
    '',
    `${scanners}/checkmarx-routes.test.ts`,
  ),
  mutation(
    'sends a stored key only to the URL it was entered for',
    `server/src/${scanners}/check.ts`,
    'if (!row?.secret || kept === undefined || isElsewhere)',
    'if (!row?.secret || kept === undefined)',
    `${scanners}/checkmarx-routes.test.ts`,
  ),
  mutation(
    "verifies a scanner's webhook with the secret of its organization",
    `server/src/${scanners}/webhook.ts`,
    'return signature && { orgId, signature };',
    'return signature && { orgId, signature: { ...signature, isValid: () => true } };',
    `${scanners}/webhook.test.ts`,
  ),
  mutation(
    'rejects a response without a list of results',
    'server/src/providers/checkmarx/reads.ts',
    "if (!answer.success) throw apiRefused(new URL(session.baseURL).host, 'returns",
    "if (session === undefined) throw apiRefused(new URL(session.baseURL).host, 'returns",
    `${scanners}/checkmarx-fixtures.test.ts`,
  ),
  mutation(
    'fixes no findings by a scan with a failed engine',
    `server/src/${scanners}/import-scan.ts`,
    'complete: scan.complete && ',
    'complete: ',
    `${scanners}/checkmarx-routes.test.ts`,
  ),
  mutation(
    'rejects a list of a scanner that omits items',
    'server/src/providers/scanner-pages.ts',
    'if (seen.size >= expected) return;',
    'if (seen.size >= 0) return;',
    'providers/sonarqube/issues.test.ts',
  ),
  mutation(
    'sends the token of a scanner to no other host',
    'server/src/providers/snyk/scanner.ts',
    "if (url.origin !== base.origin) throw api.problem('links to another host');",
    '',
    'providers/snyk/scanner.test.ts',
  ),
];
