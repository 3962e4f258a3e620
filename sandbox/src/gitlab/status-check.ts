/** An external status check of a project. `answers`: its last response for each merge request, by number. */
export type StatusCheck = {
  id: number;
  projectId: number;
  name: string;
  url: string;
  secret: string | null;
  answers: Map<number, { sha: string; status: string }>;
};
