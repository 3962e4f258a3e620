import { domainsPath, type Mutation, mutation } from '../guard.ts';

const routes = 'domains/organization/erasure/routes.test.ts';
const whole = 'domains/organization/erasure/erasure.test.ts';
const commands = `${domainsPath}/organization/erasure/commands.ts`;
const begin = `${domainsPath}/organization/erasure/begin.ts`;

export const erasureGuards: readonly Mutation[] = [
  mutation(
    'Nobody answers their own request to be erased',
    commands,
    'if (row.requested_by === accountId) throw',
    'if (row.requested_by === erasureId) throw',
    routes,
  ),
  mutation(
    'Nobody erases themselves',
    commands,
    'if (found.accountId === accountId)',
    'if (found.accountId === subject.kind)',
    routes,
  ),
  mutation(
    'Whoever erases somebody writes out who it is',
    commands,
    'await checkConfirmed(tx, orgId, found.personId, confirm);\n',
    '',
    routes,
  ),
  mutation(
    'A request is answered once',
    commands,
    "if (row.state !== 'requested') throw",
    "if (row.state === 'running') throw",
    routes,
  ),
  mutation(
    'The only owner asks in vain to be erased',
    commands,
    'await refuseSoleOwner(tx, orgId, accountId);\n',
    '',
    routes,
  ),
  mutation(
    'An account that lives on elsewhere is not deleted',
    begin,
    'return rows.every(({ id }) => id === orgId);',
    'return rows.length > 0;',
    routes,
  ),
  mutation(
    'Rows that nobody erased cannot be passed off as erased',
    `${domainsPath}/ledger/ledger/check/erasures.ts`,
    'if (rows !== place.subject.rows || root !== place.subject.root) {',
    'if (rows < Number(place.subject.rows)) {',
    whole,
  ),
  mutation(
    'A key that is gone from the database is soon gone from memory',
    'server/src/core/people.ts',
    'for (const id of missing) if (!found.has(id)) opened.delete(id);\n',
    '',
    whole,
  ),
];
