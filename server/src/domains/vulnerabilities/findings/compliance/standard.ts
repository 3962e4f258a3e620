/** A list of what to guard against, and the weaknesses that each of its entries counts. */
export interface Standard {
  framework: string;
  controls: readonly Control[];
}

export interface Control {
  /** As the list numbers it, such as `A03:2021`. */
  control: string;
  title: string;
  url: string;
  /** Numbers of the CWE. */
  cwes: readonly number[];
}
