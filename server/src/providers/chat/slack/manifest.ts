/** The permissions of the app, each with its reason. It cannot read messages. */
export const slackPermissions = [
  { name: 'chat:write', reason: 'Sends messages to channels that the app was invited to, and to people.' },
  { name: 'channels:read', reason: 'Lists public channels for selection.' },
  { name: 'groups:read', reason: 'Lists private channels that the app was invited to.' },
  { name: 'users:read', reason: 'Required by Slack for users:read.email.' },
  {
    name: 'users:read.email',
    reason: 'Finds the Slack user of a member who asks for messages, by their confirmed address.',
  },
] as const;

/** The app manifest of an organization (https://docs.slack.dev/reference/app-manifest), as JSON. */
export const slackManifestOf = (requestURL: string): string =>
  JSON.stringify(
    {
      display_information: {
        name: 'Sightline',
        description: 'Notifications about code changes, findings and evidence.',
      },
      features: {
        bot_user: { display_name: 'Sightline', always_online: false },
        // Shows messages to people, who cannot reply.
        app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: true },
      },
      oauth_config: { scopes: { bot: slackPermissions.map(({ name }) => name) } },
      settings: {
        event_subscriptions: { request_url: requestURL, bot_events: ['app_uninstalled', 'tokens_revoked'] },
        interactivity: { is_enabled: true, request_url: requestURL },
        org_deploy_enabled: false,
        socket_mode_enabled: false,
        token_rotation_enabled: false,
      },
    },
    null,
    2,
  );
