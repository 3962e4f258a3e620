import { architectureTest, corePath, domainsPath, type Mutation, mutation } from '../guard.ts';

const destination = `${corePath}/destination.ts`;
const gitRemote = 'server/src/providers/git-remote.ts';
const gitProgram = 'server/src/providers/git-program.ts';
const hostile = architectureTest('hostile-urls');
const unit = 'core/outbound.test.ts';
const allowances = 'cli/outbound.test.ts';

export const destinationGuards: readonly Mutation[] = [
  mutation(
    'rejects ambiguous characters in destinations',
    destination,
    'if (ambiguous.test(text)) return',
    "if (text === '') return",
    `${hostile} > rejects every hostile address and connects to nothing`,
  ),
  mutation(
    'requires slashes and a host after the scheme',
    destination,
    String.raw`:)\/\/([^/?#]+)/`,
    String.raw`:)\/*([^/?#]+)/`,
    unit,
  ),
  mutation(
    'rejects user names in destinations',
    destination,
    "if (authority.includes('@') && !credentials) return",
    "if (authority === '' && !credentials) return",
    unit,
  ),
  mutation(
    'rejects host names that end with a dot',
    destination,
    "if (url.hostname.endsWith('.')) return",
    "if (url.hostname === '.') return",
    unit,
  ),
  mutation(
    'rejects ports below 1024 without an allowance',
    `${corePath}/outbound.ts`,
    "port !== '' && Number(port) < 1024",
    "port === '1'",
    `${hostile} > rejects every hostile address and connects to nothing`,
  ),
  mutation(
    'rejects http without an allowance',
    `${corePath}/outbound.ts`,
    "if (protocol !== 'https:') return",
    "if (protocol === '') return",
    unit,
  ),
  mutation(
    'follows no redirects',
    `${corePath}/outbound.ts`,
    "redirect: 'manual'",
    "redirect: 'follow'",
    `${hostile} > follows no redirect of an allowed address`,
  ),
  mutation(
    'passes the parsed URL to git',
    gitRemote,
    'const url = route.href;',
    'const url = route.href && given.url;',
    'providers/git-remote.test.ts',
  ),
  mutation(
    'requires a git that can pin addresses',
    gitProgram,
    "    if (!canPinAddresses(version.toString())) throw new GitFailed('too_old');\n",
    '',
    'providers/git-remote.test.ts',
  ),
  mutation(
    'hides the output of git',
    gitRemote,
    "?? 'Check the URL, the branch and the permissions of the token.'",
    '?? text',
    'providers/git-remote.test.ts',
  ),
  mutation(
    'rejects a git anchor with a private address',
    `${domainsPath}/ledger/ledger/anchors/git.ts`,
    "await outbound.check('settings.url', url)",
    'url',
    `${hostile} > POST /v2/ledger/anchors settings.url (git)`,
  ),
  mutation(
    'rejects a private address in a changed evidence destination',
    `${domainsPath}/compliance/evidence-destinations/commands.ts`,
    "await services.outboundFor(orgId, 'evidence_destination').check('settings.url', String(settings.url))",
    'String(settings.url)',
    `${hostile} > PATCH /v2/evidence-destinations/:destinationId settings`,
  ),
  mutation(
    'restricts an allowance to its purpose',
    `${domainsPath}/organization/outbound/queries.ts`,
    'where org_id = $1 and purpose = $2',
    "where org_id = $1 and purpose <> ''",
    allowances,
  ),
  mutation(
    'restricts an allowance for all organizations to its purpose',
    `${domainsPath}/organization/outbound/queries.ts`,
    'from outbound_allowance where purpose = $2',
    "from outbound_allowance where purpose <> ''",
    allowances,
  ),
  mutation(
    'records an allowance in the audit log of its organization',
    `${domainsPath}/organization/outbound/commands.ts`,
    "if (scope === 'all') return;",
    'if (entry) return;',
    allowances,
  ),
  mutation(
    'records an allowance in the operator log',
    `${domainsPath}/organization/outbound/commands.ts`,
    'await recordOperatorEntry(tx, change.operator,',
    "if (scope === 'all') await recordOperatorEntry(tx, change.operator,",
    allowances,
  ),
  mutation(
    'records an allowance for all organizations in every audit log',
    `${corePath}/operator-log.ts`,
    "const toldKinds = ['flag', 'destination'] as const;",
    "const toldKinds = ['flag', 'flag'] as const;",
    allowances,
  ),
  mutation(
    "offers the operator's GitLab only where it is allowed",
    'server/src/providers/gitlab/gitlab.ts',
    'config.url === GITLAB_COM_URL || (await outbound.allows(config.url))',
    "config.url !== '' || (await outbound.allows(config.url))",
    allowances,
  ),
  mutation(
    'reports an ignored allowance of the environment in doctor',
    'server/src/cli/doctor/installation.ts',
    '  if (ignored) {',
    "  if (ignored?.name === '') {",
    allowances,
  ),
  mutation(
    'reports a git that cannot pin addresses in doctor',
    'server/src/cli/doctor/installation.ts',
    'return canPinAddresses(stdout)\n',
    'return canPinAddresses(stdout) || stdout\n',
    allowances,
  ),
  mutation(
    'fetches pictures from private addresses only for members of allowed organizations',
    'server/src/domains/identity/pictures/routes.ts',
    '!isMember || isFrom(query.url, origins)',
    'orgId === undefined || isFrom(query.url, origins)',
    'domains/identity/pictures/routes.test.ts',
  ),
  mutation(
    'serves only pictures without scripts',
    'server/src/domains/identity/pictures/routes.ts',
    'if (status !== 200 || type === undefined)',
    'if (status !== 200)',
    'domains/identity/pictures/routes.test.ts',
  ),
  mutation(
    'limits requests for pictures',
    'server/src/domains/identity/pictures/routes.ts',
    "await count('pictures', actor.accountId, 1);",
    '',
    'domains/identity/pictures/routes.test.ts',
  ),
];
