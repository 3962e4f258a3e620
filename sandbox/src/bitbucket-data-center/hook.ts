/** A webhook of a repository. */
export type DataCenterHook = {
  id: number;
  repositoryId: number;
  name: string;
  url: string;
  secret: string;
  events: string[];
  isActive: boolean;
  createdAt: number;
};
