/** A scan whose results are staged in scan_result. */
export interface StagedScan {
  orgId: string;
  id: string;
  repositoryId: string;
  analysis: string;
  source: string;
  tool: string;
  toolName: string;
  category: string;
  ref: string;
  commit: string | null;
  complete: boolean;
}
