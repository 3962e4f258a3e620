import { core, features, type Guard, guard, house } from '../guard.ts';

const destination = `${core}/destination.ts`;
const gitRemote = 'server/src/providers/git-remote.ts';
const hostile = house('hostile-urls');
const unit = 'core/outbound.test.ts';
const allowances = 'cli/outbound.test.ts';

export const destinationGuards: readonly Guard[] = [
  guard(
    'Characters that programs read differently are rejected in destinations',
    destination,
    'if (ambiguous.test(text)) return',
    "if (text === '') return",
    `${hostile} > rejects every hostile address and connects to nothing`,
  ),
  guard(
    'A destination has slashes and a host after its scheme',
    destination,
    String.raw`:)\/\/([^/?#]+)/`,
    String.raw`:)\/*([^/?#]+)/`,
    unit,
  ),
  guard(
    'A destination has no user name',
    destination,
    "if (authority.includes('@') && !credentials) return",
    "if (authority === '' && !credentials) return",
    unit,
  ),
  guard(
    'The host of a destination has no dot at its end',
    destination,
    "if (url.hostname.endsWith('.')) return",
    "if (url.hostname === '.') return",
    unit,
  ),
  guard(
    'A low port is only for what the operator allowed',
    `${core}/outbound.ts`,
    "port !== '' && Number(port) < 1024",
    "port === '1'",
    `${hostile} > rejects every hostile address and connects to nothing`,
  ),
  guard(
    'http is only for what the operator allowed',
    `${core}/outbound.ts`,
    "if (protocol !== 'https:') return",
    "if (protocol === '') return",
    unit,
  ),
  guard(
    'No redirect is followed',
    `${core}/outbound.ts`,
    "redirect: 'manual'",
    "redirect: 'follow'",
    `${hostile} > follows no redirect of an allowed address`,
  ),
  guard(
    'git receives the parsed address',
    gitRemote,
    'const remote = { ...given, url: href };',
    'const remote = { ...given, url: href && given.url };',
    'providers/git-remote.test.ts',
  ),
  guard(
    'A git without pinning sends nothing',
    gitRemote,
    "    if (!pinsAddresses(await run(folder, ['version'], file, ''))) throw tooOld();\n",
    '',
    'providers/git-remote.test.ts',
  ),
  guard(
    'What git prints is shown to nobody',
    gitRemote,
    "?? 'Check the address, the branch and what the token may do.'",
    '?? said',
    'providers/git-remote.test.ts',
  ),
  guard(
    'A git anchor is given no address inside',
    `${features}/ledger/anchors/git.ts`,
    "await outbound.check('settings.url', url)",
    'url',
    `${hostile} > POST /v2/ledger/anchors settings.url (git)`,
  ),
  guard(
    'A changed exporter is given no address inside',
    `${features}/exporters/commands.ts`,
    "await services.outboundFor(orgId, 'exporter').check('settings.url', String(settings.url))",
    'String(settings.url)',
    `${hostile} > PATCH /v2/exporters/:exporterId settings`,
  ),
  guard(
    'An allowance is for one purpose',
    `${features}/outbound/queries.ts`,
    'where org_id = $1 and purpose = $2',
    "where org_id = $1 and purpose <> ''",
    allowances,
  ),
  guard(
    'An allowance for everybody is for one purpose',
    `${features}/outbound/queries.ts`,
    'from outbound_allowance where purpose = $2',
    "from outbound_allowance where purpose <> ''",
    allowances,
  ),
  guard(
    'An allowance is in the audit log of its organization',
    `${features}/outbound/commands.ts`,
    "if (scope === 'all') return;",
    'if (entry) return;',
    allowances,
  ),
  guard(
    'An allowance is in the operator log',
    `${features}/outbound/commands.ts`,
    'await recordOperator(tx, change.operator,',
    "if (scope === 'all') await recordOperator(tx, change.operator,",
    allowances,
  ),
  guard(
    'An allowance for everybody is in every audit log',
    `${core}/operator-log.ts`,
    "const toldKinds = ['flag', 'destination'] as const;",
    "const toldKinds = ['flag', 'flag'] as const;",
    allowances,
  ),
  guard(
    "The operator's GitLab is offered where it is allowed alone",
    'server/src/providers/gitlab/gitlab.ts',
    'config.url === gitlabCom || (await outbound.allows(config.url))',
    "config.url !== '' || (await outbound.allows(config.url))",
    allowances,
  ),
  guard(
    'doctor reports an allowance of the environment',
    'server/src/cli/doctor/installation.ts',
    '  if (ignored) {',
    "  if (ignored?.name === '') {",
    allowances,
  ),
  guard(
    'doctor reports a git without pinning',
    'server/src/cli/doctor/installation.ts',
    'return pinsAddresses(stdout) ? ok(',
    'return pinsAddresses(stdout) || stdout ? ok(',
    allowances,
  ),
];
