/** An address that was asked whether it wants checkpoints. */
export interface AskedAddress {
  id: string;
  address: string;
  organization: string;
}
