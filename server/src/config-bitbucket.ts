export interface BitbucketConfig {
  /** The address for users: web pages, OAuth. */
  url: string;
  /** Includes the version. */
  apiUrl: string;
  /** The OAuth consumer. Without one, users provide tokens. */
  client: { id: string; secret: string } | undefined;
  /** A page of the sandbox that creates tokens. */
  sandboxPage: string | undefined;
}

interface BitbucketVariables {
  BITBUCKET_URL: string;
  BITBUCKET_API_URL: string | undefined;
  BITBUCKET_CLIENT_ID: string | undefined;
  BITBUCKET_CLIENT_SECRET: string | undefined;
}

export const BITBUCKET_CLOUD_URL = 'https://bitbucket.org';

/** Returns the problems of these settings, one line each. */
export const bitbucketProblems = ({
  BITBUCKET_CLIENT_ID: id,
  BITBUCKET_CLIENT_SECRET: secret,
}: BitbucketVariables): string[] =>
  (id === undefined) === (secret === undefined)
    ? []
    : ['BITBUCKET_CLIENT_ID and BITBUCKET_CLIENT_SECRET: are given together or not at all'];

export function bitbucketConfigOf(values: BitbucketVariables): BitbucketConfig {
  const {
    BITBUCKET_URL: url,
    BITBUCKET_API_URL: api,
    BITBUCKET_CLIENT_ID: id,
    BITBUCKET_CLIENT_SECRET: secret,
  } = values;
  return {
    url,
    // Only Bitbucket Cloud has a separate host for its API.
    apiUrl: api ?? (url === BITBUCKET_CLOUD_URL ? 'https://api.bitbucket.org/2.0' : `${url}/2.0`),
    client: id && secret ? { id, secret } : undefined,
    sandboxPage: undefined,
  };
}
