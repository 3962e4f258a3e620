/** A published list of weaknesses, with the CWEs of each entry. */
export interface ComplianceStandard {
  framework: string;
  controls: readonly StandardControl[];
}

export interface StandardControl {
  /** The number in the list, such as `A03:2021`. */
  control: string;
  title: string;
  url: string;
  /** CWE numbers. */
  cwes: readonly number[];
}
