import { topic } from '#core/topics.ts';

/** Two persons of an organization were merged: references to `from` now mean `into`. */
export const personsUnited = topic<{ from: string; into: string }>('identity.persons-united');

/** The identity provider that an organization requires reported the groups of a member who signed in. */
export const groupsReported = topic<{ accountId: string; groups: readonly string[] }>('identity.groups-reported');
