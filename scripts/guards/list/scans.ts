import { accessMatrixTest, corePath, domainsPath, type Mutation, mutation } from '../guard.ts';

const checkmarx = 'domains/vulnerabilities/checkmarx';
const uploadTests = 'domains/vulnerabilities/sarif/routes.test.ts';
const keyTests = 'domains/identity/access-keys/routes.test.ts';

export const scansGuards: readonly Mutation[] = [
  mutation(
    'A revoked access key is none',
    `${corePath}/access-keys.ts`,
    ' and k.revoked_at is null and (k.expires_at',
    ' and (k.expires_at',
    uploadTests,
  ),
  mutation(
    'An access key expires',
    `${corePath}/access-keys.ts`,
    ' and (k.expires_at is null or k.expires_at > now())',
    '',
    keyTests,
  ),
  mutation(
    'An access key is not used without end',
    `${corePath}/access-keys.ts`,
    '  if (wait > 0) {',
    '  if (wait > 1e9) {',
    keyTests,
  ),
  mutation(
    'An access key is good for its repository only',
    `${domainsPath}/vulnerabilities/sarif/commands.ts`,
    'if (!row || isForAnother)',
    'if (!row)',
    uploadTests,
  ),
  mutation(
    'An access key is good for the calls that say so',
    `${corePath}/route.ts`,
    'token !== undefined && endpoint.accessKey && isAccessKey(token)',
    'token !== undefined && isAccessKey(token)',
    accessMatrixTest('GET /v2/auth0mgm/org'),
  ),
  mutation(
    'Whoever writes to own findings only uploads nothing',
    `${domainsPath}/vulnerabilities/sarif/commands.ts`,
    "if (!isKeyActor(actor) && actor.reach('write:findings') !== 'all')",
    "if (!isKeyActor(actor) && actor.reach('write:findings') === undefined)",
    uploadTests,
  ),
  mutation(
    'An upload ends at 100 MB, counted after unpacking',
    `${domainsPath}/vulnerabilities/sarif/spool.ts`,
    'if (bytes > MAX_UPLOAD_BYTES) throw',
    'if (bytes < 0) throw',
    uploadTests,
  ),
  mutation(
    'A file that is none is refused before anything of it is kept',
    `${domainsPath}/vulnerabilities/sarif/read.ts`,
    '    refuseOthers(log);\n',
    '',
    uploadTests,
  ),
  mutation(
    'A base URL is looked at before anybody is called',
    'server/src/providers/checkmarx/client.ts',
    "if (given !== undefined) await transport.check('baseURL', given);",
    '',
    `${checkmarx}/hostile.test.ts`,
  ),
  mutation(
    'A key is for the tenant that was typed',
    'server/src/providers/checkmarx/key.ts',
    'if (own !== undefined && own.toLowerCase() !== tenant.toLowerCase()) throw wrongTenant(tenant, own);',
    '',
    `${checkmarx}/routes.test.ts`,
  ),
  mutation(
    'A kept key goes nowhere but where it was given for',
    `server/src/${checkmarx}/check.ts`,
    'if (!row?.secret || kept === undefined || isElsewhere)',
    'if (!row?.secret || kept === undefined)',
    `${checkmarx}/routes.test.ts`,
  ),
  mutation(
    "A scanner's webhook is signed with the secret of its organization",
    `server/src/${checkmarx}/hook.ts`,
    'return signature && { orgId, signature };',
    'return signature && { orgId, signature: { ...signature, isValid: () => true } };',
    `${checkmarx}/hook.test.ts`,
  ),
  mutation(
    'An answer that is no list of results is not taken for an empty one',
    'server/src/providers/checkmarx/reads.ts',
    "if (!answer.success) throw apiRefused(new URL(session.baseURL).host, 'returns",
    "if (session === undefined) throw apiRefused(new URL(session.baseURL).host, 'returns",
    `${checkmarx}/fixtures.test.ts`,
  ),
  mutation(
    'A scan of which an engine failed lets nothing count as fixed',
    `server/src/${checkmarx}/import-scan.ts`,
    'complete: scan.complete && ',
    'complete: ',
    `${checkmarx}/routes.test.ts`,
  ),
];
