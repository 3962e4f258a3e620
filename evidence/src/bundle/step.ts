export interface VerificationStep {
  readonly number: number;
  readonly title: string;
  /** `skipped`: there was nothing to check, or an earlier step failed. */
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly message: string;
}
