/** Fields of a finding that members set: account ID, URL and labels. */
export type TriageFields = { assigneeId?: string | null; ticketUrl?: string | null; labels?: string[] };

/** The changed fields of an edit. */
export interface EditedFields {
  before: TriageFields;
  after: TriageFields;
}
