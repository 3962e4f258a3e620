/** A webhook of a repository. `events`: as in the settings there; `pull_request` covers every event of pull requests. */
export type GiteaHook = {
  id: number;
  repositoryId: number;
  url: string;
  secret: string;
  events: string[];
  isActive: boolean;
  createdAt: number;
};
