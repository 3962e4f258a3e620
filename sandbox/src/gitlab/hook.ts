/** A registered webhook of a project. */
export type Hook = {
  id: number;
  projectId: number;
  url: string;
  token: string | null;
  signingToken: string | null;
  events: { push: boolean; tagPush: boolean; mergeRequests: boolean };
  createdAt: number;
};
