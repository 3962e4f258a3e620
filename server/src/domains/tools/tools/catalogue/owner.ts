/** Who stands behind a name that actions and images are published under. */
export interface Owner {
  /** Lower-case. */
  owner: string;
  vendor: string;
  icon: string | null;
}
