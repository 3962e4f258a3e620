/** Whom a flag is asked for, as a verified token says. The organization counts only for its members. */
export interface FlagSubject {
  accountId: string;
  orgId?: string | undefined;
  /** No account but an access key, which is of that organization for sure. */
  isKey?: true;
}
