import { features, type Guard, guard } from '../guard.ts';

export const codeHostsGuards: readonly Guard[] = [
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
  guard(
    'What came meanwhile is not asked for once more',
    `${features}/github/healing.ts`,
    ' || (await database.withOrg(orgId, (tx) => isHere(tx, orgId, deliveryId)))',
    '',
    'features/github/healing.test.ts',
  ),
  guard(
    'What is missed is looked for once the past was read',
    `${features}/reconcile/scene.ts`,
    ".where('i.state', '=', 'done')",
    '',
    'features/reconcile/jobs.test.ts',
  ),
  guard(
    'What Bitbucket is asked with goes to no other address',
    'server/src/providers/bitbucket/transport.ts',
    'target?.origin === base.origin && target.pathname.startsWith(base.pathname) &&',
    'target !== undefined &&',
    'providers/bitbucket/bitbucket.test.ts',
  ),
  guard(
    'What was given for one address of Bitbucket goes to no other',
    'server/src/providers/bitbucket/bitbucket.ts',
    'if (baseURL !== config.url) throw',
    'if (baseURL === undefined) throw',
    'providers/bitbucket/bitbucket.test.ts',
  ),
  guard(
    'Two people of Bitbucket with one nickname stay two',
    `${features}/ingest/pull-requests.ts`,
    'id ?? login;',
    'login || id;',
    'features/webhooks/bitbucket.test.ts',
  ),
  guard(
    'A grant is renewed by one at a time',
    'server/src/providers/grants.ts',
    '.forUpdate()',
    '',
    'providers/grants.test.ts',
  ),
];
