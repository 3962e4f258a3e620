export type NewAlert = Pick<Alert, 'kind' | 'path' | 'line' | 'rule'> &
  Partial<Pick<Alert, 'tool' | 'instances' | 'createdAt'>>;

/** What was looked for: a rule, an advisory, or a type of secret. */
export type AlertRule = {
  id: string;
  title: string;
  description: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  cwes: number[];
  /** Of a dependency: what is affected. */
  package?: { ecosystem: string; name: string; affected: string; fixedIn: string };
};

/** What GitHub's own scanner found. Times are epoch milliseconds; `state` is that of the kind with most states. */
export type Alert = {
  kind: AlertKind;
  number: number;
  state: 'open' | 'dismissed' | 'fixed';
  /** As GitHub names it, such as `false positive`, or for a secret its resolution. */
  reason: string | null;
  comment: string | null;
  createdAt: number;
  updatedAt: number;
  path: string;
  line: number;
  /** The refs it stands on, with the commit that was looked at; only code scanning knows more than the default branch. */
  instances: { ref: string; commit: string; state: 'open' | 'fixed' }[];
  rule: AlertRule;
  tool: { name: string; version: string };
};

export type AlertKind = (typeof alertKinds)[number];

export const alertKinds = ['code_scanning', 'dependabot', 'secret_scanning'] as const;
