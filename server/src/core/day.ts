/** A day as texts name it, such as 5 May 2027. */
export const dayOf = (at: Date): string => day.format(at);

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
