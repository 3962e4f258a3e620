export interface VerificationStep {
  readonly number: number;
  readonly title: string;
  /** `skipped`: nothing to check, or an earlier step failed. */
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly message: string;
}
