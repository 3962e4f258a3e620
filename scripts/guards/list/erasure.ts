import { domainsPath, type Mutation, mutation } from '../guard.ts';

const routes = 'domains/organization/erasure/routes.test.ts';
const whole = 'domains/organization/erasure/erasure.test.ts';
const commands = `${domainsPath}/organization/erasure/commands.ts`;
const begin = `${domainsPath}/organization/erasure/begin.ts`;

export const erasureGuards: readonly Mutation[] = [
  mutation(
    "rejects decisions on the actor's own deletion request",
    commands,
    'if (row.requested_by === accountId) throw',
    'if (row.requested_by === erasureId) throw',
    routes,
  ),
  mutation(
    'rejects erasure of the actor',
    commands,
    'if (found.accountId === accountId)',
    'if (found.accountId === subject.kind)',
    routes,
  ),
  mutation(
    'requires the typed name of the person to erase',
    commands,
    'await checkConfirmed(tx, orgId, found.personId, confirm);\n',
    '',
    routes,
  ),
  mutation(
    'accepts one decision per deletion request',
    commands,
    "if (row.state !== 'requested') throw",
    "if (row.state === 'running') throw",
    routes,
  ),
  mutation(
    'rejects deletion requests of the only owner',
    commands,
    'await refuseSoleOwner(tx, orgId, accountId);\n',
    '',
    routes,
  ),
  mutation(
    'keeps accounts with other memberships',
    begin,
    'return rows.every(({ id }) => id === orgId);',
    'return rows.length > 0;',
    routes,
  ),
  mutation(
    'rejects rows that are claimed to be erased but are not recorded',
    `${domainsPath}/ledger/ledger/check/erasures.ts`,
    'if (rows !== recorded.subject.rows || root !== recorded.subject.root) {',
    'if (rows < Number(recorded.subject.rows)) {',
    whole,
  ),
  mutation(
    'evicts erased keys from memory',
    'server/src/core/people.ts',
    'for (const id of missing) if (!found.has(id)) opened.delete(id);\n',
    '',
    whole,
  ),
];
