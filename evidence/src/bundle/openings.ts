/**
 * An opaque person of the changes with the IDs of their code host accounts. Logins can pass to another account, IDs
 * cannot.
 */
export interface PersonAccounts {
  readonly person: string;
  readonly accounts: readonly { readonly host: string; readonly id: string }[];
}

/** A disclosed field of an entry. */
export interface OpenedField {
  readonly index: number;
  readonly field: string;
  readonly value: unknown;
}

/**
 * A code host of changes. `host`: host name, with a non-default port. `connection`: the ledger entry of the connection;
 * null if not recorded.
 */
export interface ChangeHost {
  readonly host: string;
  readonly connection: string | null;
  readonly repositories: readonly HostedRepository[];
}

/**
 * A repository by our ID and by the permanent ID on its code host, which no later repository of the same name shares.
 */
export interface HostedRepository {
  readonly id: string;
  readonly hostId: string;
}
