export interface GitlabConfig {
  /** Where people open the instance that is meant unless they name another. */
  url: string;
  /** The application registered there; without one people give tokens. */
  client: { id: string; secret: string } | undefined;
  /** A page of the sandbox that makes tokens. */
  sandboxPage: string | undefined;
}

interface GitlabVariables {
  GITLAB_URL: string;
  GITLAB_CLIENT_ID: string | undefined;
  GITLAB_CLIENT_SECRET: string | undefined;
}

export const gitlabCom = 'https://gitlab.com';

/** What is wrong with these settings, one line each. */
export const gitlabProblems = ({ GITLAB_CLIENT_ID: id, GITLAB_CLIENT_SECRET: secret }: GitlabVariables): string[] =>
  (id === undefined) === (secret === undefined)
    ? []
    : ['GITLAB_CLIENT_ID and GITLAB_CLIENT_SECRET: are given together or not at all'];

export const gitlabOf = ({
  GITLAB_URL: url,
  GITLAB_CLIENT_ID: id,
  GITLAB_CLIENT_SECRET: secret,
}: GitlabVariables): GitlabConfig => ({
  url,
  client: id && secret ? { id, secret } : undefined,
  sandboxPage: undefined,
});
