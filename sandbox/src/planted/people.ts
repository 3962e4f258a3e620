import type { Person } from '../git/pull-request.ts';

const human = (name: string): Person => ({ name, email: `${name.toLowerCase().replace(' ', '.')}@example.com` });
const bot = (login: string, id: number): Person => ({
  name: `${login}[bot]`,
  email: `${id}+${login}[bot]@users.noreply.github.com`,
});

/** Members who are active all the time. */
export const members: readonly Person[] = [
  human('Ada Moreno'),
  human('Ben Okafor'),
  human('Cleo Lindqvist'),
  human('Dana Petrov'),
  human('Emil Tanaka'),
  human('Fay Ortega'),
];
/** A user with an account on the host who never was a member. */
export const nonMember = human('Sam Newcomer');
/** Second accounts of Ada Moreno, by what shows that they are hers. */
export const secondAccounts = {
  address: human('Gil Second'),
  device: human('Hal Second'),
  key: human('Ida Second'),
} as const;
/** A member who was added minutes before. */
export const newMember = human('Noa Newell');
/** Users with access to the repository who never were members. */
export const visitors = {
  reader: human('Uma Visitor'),
  teammate: human('Vic Visitor'),
  owner: human('Wes Visitor'),
  guest: human('Xan Visitor'),
} as const;
/** A git identity with a name but no address, so it cannot be resolved. */
export const unresolvedPerson: Person = { name: 'Zed', email: '' };
/** A deleted account. */
export const deletedAccount: Person = { name: 'ghost', email: 'ghost' };
export const agent = bot('claude', 209_825_114);
export const reviewBot = bot('review-helper', 51_234_567);
export const queueBot = bot('github-merge-queue', 118_344_674);
