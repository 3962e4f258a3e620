/** An external status check of a project. `answers`: what it was last told of a merge request, by its number. */
export type StatusCheck = {
  id: number;
  projectId: number;
  name: string;
  url: string;
  secret: string | null;
  answers: Map<number, { sha: string; status: string }>;
};
