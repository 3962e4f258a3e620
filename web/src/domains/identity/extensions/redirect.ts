/** Leaves the app for an external address: a custom URL scheme, or a page with a full load. */
export const redirectTo = (address: string): void => window.location.assign(address);
