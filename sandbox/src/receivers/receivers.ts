import { randomBytes } from 'node:crypto';

/** An uploaded file. */
export type Upload = { name: string; type: string; content: Buffer };

/** A document at Vanta with its uploads; `submitted` is the number of uploads visible to auditors. */
export type VantaDocument = {
  id: string;
  title: string;
  uploads: (Upload & { id: string; description: string | null; effectiveDate: string | null })[];
  submitted: number;
};

export type DrataEvidence = {
  id: number;
  name: string;
  description: string | null;
  artifacts: { type: string; artifactName: string | null; fileKey: string | null; url: string | null }[];
  controlIds: number[];
};

export type DojoFinding = { title: string; severity: string; uniqueId: string; active: boolean; mitigated: boolean };
export type DojoTest = { product: string; engagement: string; title: string; imports: number; findings: DojoFinding[] };

/** The simulated evidence destinations with their credentials, in memory only. */
export type Receivers = {
  vanta: {
    clientId: string;
    clientSecret: string;
    /** The only valid token, with its expiry. */
    token: { value: string; expiresAt: number } | undefined;
    documents: VantaDocument[];
  };
  drata: {
    key: string;
    workspaceId: number;
    termsAccepted: boolean;
    files: Map<string, Upload>;
    evidence: DrataEvidence[];
  };
  dojo: { token: string; mayImport: boolean; tests: DojoTest[] };
  /** External controls of GitLab's compliance frameworks, by ID; `statuses` by project. */
  gitlab: { controls: Map<number, { secret: string; statuses: Map<number, string> }>; nonces: Set<string> };
};

export const createReceivers = (): Receivers => {
  const secret = (): string => randomBytes(20).toString('hex');
  return {
    vanta: {
      clientId: `vci_${randomBytes(8).toString('hex')}`,
      clientSecret: `vcs_${secret()}`,
      token: undefined,
      documents: [{ id: 'change-management', title: 'Change management evidence', uploads: [], submitted: 0 }],
    },
    drata: { key: secret(), workspaceId: 1, termsAccepted: true, files: new Map(), evidence: [] },
    dojo: { token: secret(), mayImport: true, tests: [] },
    gitlab: { controls: new Map([[7, { secret: secret(), statuses: new Map() }]]), nonces: new Set() },
  };
};
