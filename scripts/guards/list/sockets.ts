import { core, features, type Guard, guard, house } from '../guard.ts';

const sockets = house('sockets');
const presenceSockets = 'features/presence/sockets.test.ts';

export const socketsGuards: readonly Guard[] = [
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
    ' && sameOrigin(headers.origin, origin))',
    ')',
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
