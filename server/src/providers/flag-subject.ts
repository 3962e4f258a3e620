/** The subject of a flag query from a verified token. The organization only applies to its members. */
export interface FlagSubject {
  accountId: string;
  orgId?: string | undefined;
  /** The subject is an access key, which always belongs to the organization. */
  isKey?: true;
}
