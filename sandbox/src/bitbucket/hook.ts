/** A configured webhook. `uuid` in braces, as in Bitbucket. */
export type Hook = {
  uuid: string;
  repositoryId: number;
  url: string;
  description: string;
  secret: string | null;
  active: boolean;
  events: string[];
  createdAt: number;
};
