/** The required check of the default branch. */
export const requiredCheck = 'build';
