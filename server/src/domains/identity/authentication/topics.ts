import { topic } from '#core/topics.ts';

/** Two persons of an organization are one from now on: what names `from` names `into`. */
export const personsUnited = topic<{ from: string; into: string }>('identity.persons-united');
