/**
 * An opaque person of the changes, and the numbers or UUIDs that code hosts gave to their accounts. A login can pass to another account, such
 * an id cannot.
 */
export interface PersonAccounts {
  readonly person: string;
  readonly accounts: readonly { readonly host: string; readonly id: string }[];
}

/** Of an entry, what a disclosure opened. */
export interface OpenedField {
  readonly index: number;
  readonly field: string;
  readonly value: unknown;
}

/**
 * A code host that changes came from. `host`: as in an address, with its port where it has one. `connection`: the ledger entry that recorded
 * who connected it; null where that was not recorded.
 */
export interface ChangeHost {
  readonly host: string;
  readonly connection: string | null;
  readonly repositories: readonly HostedRepository[];
}

/** A repository by our id and by the number or UUID that its host gave it, which no later repository of the same name has. */
export interface HostedRepository {
  readonly id: string;
  readonly hostId: string;
}
