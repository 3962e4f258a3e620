import type { FlowStep, ResultAssessment, ResultEvidence } from '#providers/scanner.ts';

/** The JSON in finding_detail for a result. The texts of its rule are in finding_text. */
export type StoredDetail = {
  message: string;
  snippet: string | null;
  flow: readonly FlowStep[];
  package: { name: string; version: string | null; fixedIn: string | null } | null;
  compliances: readonly { framework: string; control: string }[];
  /** Absent without evidence. */
  evidence?: ResultEvidence;
  assessment?: ResultAssessment;
};
