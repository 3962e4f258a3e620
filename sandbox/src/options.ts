/**
 * `repositories`: paths of git repositories. `deliverTo`: URL for webhooks; none are sent while it is undefined. One of
 * the two keys is sufficient. `pollMs`: interval of polling refs, in addition to file system events (default 1000).
 * `rateLimit`: requests per hour (default 15,000, as for an enterprise installation). Port 0 selects a free one.
 * `alerts`: whether the host's own scanners are enabled, with initial alerts; otherwise the first added alert enables
 * them. `stateFile`: stores installations across restarts. `plantedFile`: the same for reviews, pushes, checks and
 * protection that git does not contain. `checkmarxFile`: the same for scans, webhooks and keys of Checkmarx One. `scannersFolder`: the same for other scanners.
 * `demoFolder`: where the repositories of the demo are created; without it there is no demo. `gitlabFile` and `bitbucketFile`: the same for tokens and webhooks of GitLab and of Bitbucket.
 * `slackFile` and `teamsFile`: the same for the messages of Slack and Microsoft Teams.
 */
export type SandboxOptions = {
  port: number;
  repositories: string[];
  host?: string;
  deliverTo?: string;
  webhookSecret: string;
  appId: number;
  appSlug?: string;
  privateKeyPem?: string;
  publicKeyPem?: string;
  clientId: string;
  clientSecret: string;
  setupUrl?: string;
  /** The first is GitHub's default redirect URL. */
  callbackUrl?: string | string[];
  /** Redirect URLs of the OpenID Connect issuer: these and everything below them. */
  oidcCallbackUrls?: string[];
  /** Redirect URLs of GitLab's authorization server. */
  gitlabCallbackUrls?: string[];
  pollMs?: number;
  rateLimit?: number;
  alerts?: boolean;
  stateFile?: string;
  plantedFile?: string;
  checkmarxFile?: string;
  scannersFolder?: string;
  gitlabFile?: string;
  bitbucketFile?: string;
  /** Stores tokens and webhooks of the other code hosts across restarts. */
  codeHostsFolder?: string;
  slackFile?: string;
  teamsFile?: string;
  /** Stores users, groups and target of the directory. */
  directoryFile?: string;
  demoFolder?: string;
  /** Stores tickets and webhooks of Jira and Linear across restarts. */
  trackersFolder?: string;
};
