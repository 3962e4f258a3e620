import { domainsPath, type Mutation, mutation } from '../guard.ts';

const folder = `${domainsPath}/organization/directory`;
const test = 'domains/organization/directory/directory.test.ts';
const wireTest = 'domains/organization/directory/scim/routes.test.ts';

export const directoryGuards: readonly Mutation[] = [
  mutation(
    'gives no account to an address of a domain that is not verified',
    `${folder}/access.ts`,
    "  if (!isVerified) return { withheld: 'domain_not_verified' };\n",
    '',
    `${test} > a user of another domain gets no access`,
  ),
  mutation(
    'keeps the last owner',
    `${folder}/deprovision.ts`,
    "  if (row.owners === 0) return 'last_owner';\n",
    '',
    `${test} > the last owner keeps access`,
  ),
  mutation(
    'ends the sessions of a person who left',
    `${folder}/deprovision.ts`,
    'not is_member_elsewhere($2, $1)',
    'false',
    `${test} > ends everything at once`,
  ),
  mutation(
    'keeps sessions of members of another organization',
    `${folder}/deprovision.ts`,
    'not is_member_elsewhere($2, $1)',
    'true',
    `${test} > keeps the sessions of a person who is a member of another organization`,
  ),
  mutation(
    'rejects the previous token after it was revoked',
    `${folder}/commands.ts`,
    "      previous_hash: revokePrevious ? null : eb.ref('token_hash'),",
    "      previous_hash: eb.ref('token_hash'),",
    `${test} > is shown once`,
  ),
  mutation(
    'changes nothing while the organization is archived',
    `${folder}/scim/actor.ts`,
    "  if (isArchived && request.method !== 'GET' && !request.url.includes('/.search')) throw Archived();\n",
    '',
    `${test} > changes nothing in an archived organization`,
  ),
  mutation(
    'leaves a change by an owner alone until the directory changes the user',
    `${folder}/access.ts`,
    'if (user.wanted === user.appliedRole && user.withheld === null) {',
    'if (user.wanted === null && user.withheld === null) {',
    `${test} > a change by an owner stays`,
  ),
  mutation(
    'rejects deeply nested filters',
    `${folder}/scim/filter.ts`,
    "  if ((text.match(/[([]|\\bnot\\b/gi)?.length ?? 0) > MAX_DEPTH) throw invalidFilter('The filter is nested too deeply.');\n",
    '',
    `${wireTest} > filter by each operator`,
  ),
  mutation(
    'rejects members that are no users of the directory',
    `${folder}/groups.ts`,
    "  if ((row?.known ?? 0) < new Set(users).size) throw invalidValue('A member is no user of this directory.');\n",
    '',
    `${wireTest} > refuses $what`,
  ),
];
