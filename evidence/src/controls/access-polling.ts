/** The interval, in hours, at which the access to every enabled repository is read. Divides a day. */
export const ACCESS_POLLING_HOURS = 6;

/** The time, in hours, for which a reading of the access counts. Changes are also read when a code host reports them. */
export const ACCESS_VALID_HOURS = 24;
