/** The permitted uses of an access key: uploading SARIF, and reading the ledger as a C2SP log. */
export const accessKeyUses = ['sarif', 'ledger'] as const;
export type AccessKeyUse = (typeof accessKeyUses)[number];
