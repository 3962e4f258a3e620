/**
 * The permitted uses of an access key: uploading SARIF, reading the ledger as a C2SP log, sending agent telemetry, and
 * reading over MCP.
 */
export const accessKeyUses = ['sarif', 'ledger', 'telemetry', 'mcp'] as const;
export type AccessKeyUse = (typeof accessKeyUses)[number];
/** The uses of keys of the organization. A reader over MCP has the permissions of a member. */
export const organizationKeyUses = ['sarif', 'ledger', 'telemetry'] as const satisfies readonly AccessKeyUse[];
/** The uses of keys that members create for themselves. */
export const personalKeyUses = ['telemetry', 'mcp'] as const satisfies readonly AccessKeyUse[];
export type PersonalKeyUse = (typeof personalKeyUses)[number];
