/** The permitted uses of an access key: uploading SARIF, reading the ledger as a C2SP log, and sending agent telemetry. */
export const accessKeyUses = ['sarif', 'ledger', 'telemetry'] as const;
export type AccessKeyUse = (typeof accessKeyUses)[number];
