import type { PlantedAccess } from '../../git/model.ts';
import type { Person } from '../../git/pull-request.ts';
import { members, visitors } from '../people.ts';

/** A person with access to the repository on its code host, and the expected result of ACC-01. */
export type AccessRow = {
  name: string;
  person: Person;
  /** Verdict and reasons while the access is read every six hours. */
  expected: string;
  /** The same if it was not read for more than a day. Null: no reading shows the access. */
  afterGap: string | null;
};

const [member = visitors.owner] = members;
const stranger = { expected: 'fail host_access_of_non_member', afterGap: 'fail host_access_of_non_member' };

/** Scenarios of access. Each code host can produce all of them. */
export const accessRows: readonly AccessRow[] = [
  {
    name: 'a member may write',
    person: member,
    expected: 'pass member_during_access',
    afterGap: 'missing_evidence host_access_unknown',
  },
  { name: 'a stranger may read only', person: visitors.reader, ...stranger },
  { name: 'a stranger is in a team with access', person: visitors.teammate, ...stranger },
  { name: 'a stranger is an owner of the organization', person: visitors.owner, ...stranger },
  { name: 'a stranger has access for a few hours each day', person: visitors.guest, ...stranger, afterGap: null },
];

/** The access at a time of day (hours, UTC). `loginOf`: the account of a person on the code host. */
export function accessAt(hour: number, loginOf: (person: Person) => string): PlantedAccess {
  const direct = (person: Person, role: 'read' | 'write') => ({ login: loginOf(person), role, via: 'direct' as const });
  const isGuestThere = hour === 12;
  return {
    people: [
      direct(member, 'write'),
      direct(visitors.reader, 'read'),
      ...(isGuestThere ? [direct(visitors.guest, 'write')] : []),
    ],
    teams: [{ slug: 'platform', role: 'write', members: [loginOf(visitors.teammate)] }],
    keys: [{ id: 11, title: 'Deploy', isReadOnly: false, addedBy: loginOf(member) }],
    apps: [],
    owners: [loginOf(visitors.owner)],
  };
}
