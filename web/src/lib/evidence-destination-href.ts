/** The list of evidence destinations. Used by its pages and by those of snapshots. */
export const destinationsPath = '/evidence/destinations';
export const evidenceDestinationHref = ({ id }: { id: string }): string => `${destinationsPath}/${id}`;
