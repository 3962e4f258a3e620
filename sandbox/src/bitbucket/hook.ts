/** A webhook somebody made. `uuid` in braces, as Bitbucket writes ids. */
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
