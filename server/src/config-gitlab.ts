export interface GitlabConfig {
  /** The address of the default instance for users. */
  url: string;
  /** The application registered there. Without one, users provide tokens. */
  client: { id: string; secret: string } | undefined;
  /** A page of the sandbox that creates tokens. */
  sandboxPage: string | undefined;
}

interface GitlabVariables {
  GITLAB_URL: string;
  GITLAB_CLIENT_ID: string | undefined;
  GITLAB_CLIENT_SECRET: string | undefined;
}

export const GITLAB_COM_URL = 'https://gitlab.com';

/** Returns the problems of these settings, one line each. */
export const gitlabProblems = ({ GITLAB_CLIENT_ID: id, GITLAB_CLIENT_SECRET: secret }: GitlabVariables): string[] =>
  (id === undefined) === (secret === undefined)
    ? []
    : ['GITLAB_CLIENT_ID and GITLAB_CLIENT_SECRET: are given together or not at all'];

export const gitlabConfigOf = ({
  GITLAB_URL: url,
  GITLAB_CLIENT_ID: id,
  GITLAB_CLIENT_SECRET: secret,
}: GitlabVariables): GitlabConfig => ({
  url,
  client: id && secret ? { id, secret } : undefined,
  sandboxPage: undefined,
});
