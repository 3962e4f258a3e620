import type { Assessment, Evidence, FlowStep } from '#providers/scanner.ts';

/** What finding_detail holds of a result, as JSON. The words about its rule are in finding_text. */
export type StoredDetail = {
  message: string;
  snippet: string | null;
  flow: readonly FlowStep[];
  package: { name: string; version: string | null; fixedIn: string | null } | null;
  compliances: readonly { framework: string; control: string }[];
  /** Left out where there is none. */
  evidence?: Evidence;
  assessment?: Assessment;
};
