/** A subscription of a service hook to one event. */
export type AzureDevopsHook = {
  id: string;
  repositoryId: string;
  projectId: string;
  eventType: string;
  url: string;
  user: string;
  password: string;
};
