export interface BitbucketConfig {
  /** Where people go: web pages, OAuth. */
  url: string;
  /** Ends with the version. */
  apiUrl: string;
  /** The OAuth consumer; without one people give tokens. */
  client: { id: string; secret: string } | undefined;
  /** A page of the sandbox that makes tokens. */
  sandboxPage: string | undefined;
}

interface BitbucketVariables {
  BITBUCKET_URL: string;
  BITBUCKET_API_URL: string | undefined;
  BITBUCKET_CLIENT_ID: string | undefined;
  BITBUCKET_CLIENT_SECRET: string | undefined;
}

export const bitbucketCloud = 'https://bitbucket.org';

/** What is wrong with these settings, one line each. */
export const bitbucketProblems = ({
  BITBUCKET_CLIENT_ID: id,
  BITBUCKET_CLIENT_SECRET: secret,
}: BitbucketVariables): string[] =>
  (id === undefined) === (secret === undefined)
    ? []
    : ['BITBUCKET_CLIENT_ID and BITBUCKET_CLIENT_SECRET: are given together or not at all'];

export function bitbucketOf(values: BitbucketVariables): BitbucketConfig {
  const {
    BITBUCKET_URL: url,
    BITBUCKET_API_URL: api,
    BITBUCKET_CLIENT_ID: id,
    BITBUCKET_CLIENT_SECRET: secret,
  } = values;
  return {
    url,
    // Only Bitbucket Cloud itself serves its API from a host of its own.
    apiUrl: api ?? (url === bitbucketCloud ? 'https://api.bitbucket.org/2.0' : `${url}/2.0`),
    client: id && secret ? { id, secret } : undefined,
    sandboxPage: undefined,
  };
}
