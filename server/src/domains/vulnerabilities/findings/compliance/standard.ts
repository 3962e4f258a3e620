/** A published list of weaknesses, with the CWEs of each entry. */
export interface Standard {
  framework: string;
  controls: readonly Control[];
}

export interface Control {
  /** The number in the list, such as `A03:2021`. */
  control: string;
  title: string;
  url: string;
  /** CWE numbers. */
  cwes: readonly number[];
}
