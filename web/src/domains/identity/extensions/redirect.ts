/** Leaves for an address outside this app: a program's own scheme, or a page that is loaded anew. */
export const leave = (address: string): void => window.location.assign(address);
