/** The interval, in minutes, at which the branch protection of every enabled repository is read. Divides an hour. */
export const PROTECTION_POLLING_MINUTES = 60;

/**
 * The delay, in minutes, that a reading may have: other repositories are read before, and a code host limits requests. A
 * missed reading is later than that.
 */
export const PROTECTION_TOLERANCE_MINUTES = PROTECTION_POLLING_MINUTES / 4;

/** The time, in minutes, for which a snapshot of the branch protection is valid: until the next reading at the latest. */
export const PROTECTION_VALID_MINUTES = PROTECTION_POLLING_MINUTES + PROTECTION_TOLERANCE_MINUTES;
