/** A date as in texts, such as `5 May 2027`. */
export const formatDay = (at: Date): string => day.format(at);

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A time as in texts, such as `2 January 2026 at 10:30 UTC`. */
export const formatTime = (at: Date): string => `${time.format(at)} UTC`;
