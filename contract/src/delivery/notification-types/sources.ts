import { type NamedSubject, type NotificationDefinition, owner, quiet } from './definition.ts';

interface Connection {
  /** Identifies the connection, such as `github:123`. */
  key: string;
  name: string;
  /** Section of the integrations page. */
  category: string;
}

const connectionContent = ({ key, category }: Connection) => ({
  scope: `integration:${key}`,
  link: `/integrations/${category}`,
  icon: key.split(':')[0] ?? null,
  subject: { kind: 'integration', ident: key },
});

export const sourceNotifications = {
  'repository.enabled': {
    group: 'Repositories',
    label: 'Repository enabled',
    description: 'The import of its history started.',
    severity: 'info',
    audience: 'read:github-repos',
    mails: [],
    spares: quiet,
    text: ({ repository }: { repository: NamedSubject }) => ({
      // The same scope as disabling: the last of both replaces the one before.
      scope: `repository:${repository.id}`,
      title: `${repository.name} was enabled`,
      body: 'The import of its history started.',
      link: `/repository/${repository.id}`,
      subject: { kind: 'repository', ident: repository.name },
      repositoryId: repository.id,
    }),
  },
  'repository.disabled': {
    group: 'Repositories',
    label: 'Repository disabled',
    description: 'Its new activity is no longer imported.',
    severity: 'medium',
    audience: 'read:github-repos',
    mails: owner,
    text: ({ repository }: { repository: NamedSubject }) => ({
      scope: `repository:${repository.id}`,
      title: `${repository.name} was disabled`,
      body: 'Imported data is kept. New activity is not imported.',
      link: '/repositories',
      subject: { kind: 'repository', ident: repository.name },
      repositoryId: repository.id,
    }),
  },
  'tool.new': {
    group: 'Tools',
    label: 'New tool',
    description: 'A tool was detected for the first time.',
    severity: 'low',
    audience: 'read:events',
    whole: true,
    mails: [],
    spares: ['rol_auditor'],
    text({ tools }: { tools: readonly NamedSubject[] }) {
      const [first] = tools;
      const single = tools.length === 1 ? first : undefined;
      return {
        scope: 'tool.new',
        title: `${single?.name ?? 'A tool'} was detected for the first time`,
        titles: '{count} tools were detected for the first time',
        // Without the number: the title counts further tools while the notification is unread.
        body: single
          ? ''
          : `Including ${tools
              .slice(0, 5)
              .map(({ name }) => name)
              .join(', ')}`,
        link: single ? `/tools/${encodeURIComponent(single.id)}` : '/tools',
        subject: { kind: 'tool', ident: single?.id ?? '' },
        count: tools.length,
      };
    },
  },
  'integration.failed': {
    group: 'Integrations',
    label: 'Integration failed',
    description: 'A connection failed and needs attention.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
    text: ({ message, ...connection }: Connection & { message: string }) => ({
      ...connectionContent(connection),
      title: `${connection.name} failed`,
      body: message,
    }),
  },
  'integration.recovered': {
    group: 'Integrations',
    label: 'Integration recovered',
    description: 'A failed connection works again.',
    severity: 'info',
    audience: 'manage:integrations',
    mails: owner,
    text: ({ next = 'Missed data is being imported.', ...connection }: Connection & { next?: string }) => ({
      ...connectionContent(connection),
      title: `${connection.name} recovered`,
      body: next,
    }),
  },
} as const satisfies Record<string, NotificationDefinition>;
