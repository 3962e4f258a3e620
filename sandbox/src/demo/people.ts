import type { Person } from '../git/pull-request.ts';

/** A person of the demo organization, with the part of the history, from 0 to 1, in which they commit. */
type DemoPerson = Person & { from: number; until: number };

const person = (name: string, from = 0, until = 1): DemoPerson => ({
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@harborline.example`,
  from,
  until,
});

/** Twelve people: five from the beginning to the end, two who left, five who joined later. */
export const demoPeople: readonly DemoPerson[] = [
  person('Mira Okafor'),
  person('Jonas Berg'),
  person('Lena Fischer'),
  person('Tomas Novak'),
  person('Priya Raman'),
  person('Diego Alvarez', 0, 0.55),
  person('Hanna Lindqvist', 0, 0.8),
  person('Kenji Mori', 0.2),
  person('Aisha Bello', 0.35),
  person('Marek Zielinski', 0.5),
  person('Sofia Rossi', 0.7),
  person('Noah Weber', 0.85),
];

/** The people who commit at a point of the history, from 0 to 1. */
export const activePeople = (point: number): Person[] =>
  demoPeople
    .filter(({ from, until }) => from <= point && point <= until)
    .map(({ name: fullName, email }) => ({ name: fullName, email }));

export const dependencyBot: Person = {
  name: 'dependabot[bot]',
  email: '49699333+dependabot[bot]@users.noreply.github.com',
};

/** What coding agents add to the messages of commits that they wrote with a person. */
export const agentTrailers: readonly string[] = [
  'Co-authored-by: Claude <noreply@anthropic.com>',
  'Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>',
  'Co-authored-by: Cursor <cursoragent@cursor.com>',
];
