export type NewAlert = Pick<Alert, 'kind' | 'path' | 'line' | 'rule'> &
  Partial<Pick<Alert, 'tool' | 'instances' | 'createdAt'>>;

/** The matched rule, advisory or secret type. */
export type AlertRule = {
  id: string;
  title: string;
  description: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  cwes: number[];
  /** For a dependency: the affected package. */
  package?: { ecosystem: string; name: string; affected: string; fixedIn: string };
};

/** An alert of GitHub's own scanners. Times are epoch milliseconds; `state` covers the kind with the most states. */
export type Alert = {
  kind: AlertKind;
  number: number;
  state: 'open' | 'dismissed' | 'fixed';
  /** As named by GitHub, such as `false positive`, or the resolution of a secret. */
  reason: string | null;
  comment: string | null;
  createdAt: number;
  updatedAt: number;
  path: string;
  line: number;
  /** The affected refs with the analyzed commit; only code scanning covers refs other than the default branch. */
  instances: { ref: string; commit: string; state: 'open' | 'fixed' }[];
  rule: AlertRule;
  tool: { name: string; version: string };
};

export type AlertKind = (typeof alertKinds)[number];

export const alertKinds = ['code_scanning', 'dependabot', 'secret_scanning'] as const;
