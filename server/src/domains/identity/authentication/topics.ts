import { topic } from '#core/topics.ts';

/** Two persons of an organization were merged: references to `from` now mean `into`. */
export const personsUnited = topic<{ from: string; into: string }>('identity.persons-united');
