import type { Directory } from '../directory/directory.ts';
import type { DirectoryTarget } from '../directory/resources.ts';
import { fullName } from '../github/host.ts';
import { type Account, accountName, baseUrlOf, currentToken as currentKey } from '../scanners/account.ts';
import { currentToken, type SlackWorkspace, signingSecretOf } from '../slack/workspace.ts';
import { type TeamsWorkflows, workflowUrlOf } from '../teams/workflows.ts';
import { siteEmail, type TrackerSite, tokenOf } from '../trackers/site.ts';
import type { HostedDemo } from './demo.ts';
import { demoPeople } from './people.ts';
import { plantTickets, removeTickets } from './tickets.ts';

/** The simulated services that the demo connects beside code hosts and Checkmarx One. */
export type ConnectedServices = {
  jira: TrackerSite;
  slack: SlackWorkspace;
  teams: TeamsWorkflows;
  /** Scanners of dependencies and of code. */
  scanners: readonly Account[];
  directory: Directory;
};

const connectedScanners = ['dependency-track', 'sonarqube'] as const;

/** Adds what the services contain about the repositories of the demo. */
export const plantServices = (services: ConnectedServices, demos: readonly HostedDemo[]): void => {
  plantTickets(
    services.jira,
    demos.flatMap(({ history }) => history.changes),
  );
};

/** How a product connects to the services. */
export const credentialsOf = ({ jira, slack, teams, scanners }: ConnectedServices) => ({
  jira: { url: jira.url(), email: siteEmail, token: tokenOf(jira) },
  slack: { token: currentToken(slack), signingSecret: signingSecretOf(slack), channel: channelOf(slack) },
  teams: teams.workflows.slice(0, 1).map((workflow) => ({ name: workflow.name, url: workflowUrlOf(teams, workflow) })),
  scanners: scanners
    .filter(({ scanner }) => connectedScanners.some((name) => name === scanner))
    .map((account) => ({
      scanner: account.scanner,
      tenant: accountName,
      apiKey: currentKey(account),
      baseURL: baseUrlOf(account),
    })),
});

const channelOf = ({ kept }: SlackWorkspace): string =>
  kept.channels.find(({ isMember, isArchived }) => isMember && !isArchived)?.id ?? '';

/** Sends the people of the demo to a directory endpoint. Those who left are inactive. */
export const synchronizePeople = async ({ directory }: ConnectedServices, target: DirectoryTarget): Promise<void> => {
  const users = demoPeople.map(({ name, email, until }) => {
    const [givenName = '', familyName = ''] = name.split(' ');
    return { id: `demo-${email}`, givenName, familyName, email, active: until === 1 };
  });
  const auditor = {
    id: 'demo-auditor',
    givenName: 'Eva',
    familyName: 'Lindgren',
    email: 'eva.lindgren@harborline.example',
    active: true,
  };
  const idsOf = (...names: string[]) => users.filter(({ givenName }) => names.includes(givenName)).map(({ id }) => id);
  const leading = idsOf('Mira', 'Jonas');
  Object.assign(directory.state, {
    users: [...users, auditor],
    groups: [
      {
        id: 'demo-engineering',
        name: 'Engineering',
        members: users.map(({ id }) => id).filter((id) => !leading.includes(id)),
      },
      { id: 'demo-leads', name: 'Engineering leads', members: idsOf('Jonas') },
      { id: 'demo-owners', name: 'Platform owners', members: idsOf('Mira') },
      { id: 'demo-audit', name: 'Internal audit', members: [auditor.id] },
    ],
    target,
    deleted: { users: [], groups: [] },
  });
  const { failures } = await directory.synchronize();
  const [failure] = failures;
  if (failure) throw new Error(`The directory could not be synchronized: ${failure.request} ${failure.detail}`);
};

/** Removes what the demo added. Content that the sandbox had before remains, apart from webhooks and messages. */
export const clearServices = (services: ConnectedServices, demos: readonly HostedDemo[]): void => {
  const { jira, slack, teams, scanners, directory } = services;
  removeTickets(jira);
  slack.kept.messages = [];
  slack.kept.requestURL = '';
  slack.save();
  for (const workflow of teams.workflows) workflow.cards = [];
  teams.save();
  const names = new Set(demos.map(({ repository }) => fullName(repository)));
  for (const account of scanners) {
    for (const { id, name } of account.projects) if (names.has(name)) delete account.kept.branches[id];
    account.save();
  }
  directory.reset();
};
