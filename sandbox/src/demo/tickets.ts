import { addTicket, changeTicket, findTicket, type TrackerSite } from '../trackers/site.ts';
import type { DemoChange } from './history.ts';

/** The project of the tickets that pull requests of the demo name. */
const project = { id: '10009', key: 'HL', name: 'Harborline' };

const DAY_MS = 86_400_000;
/** One of this many keys names no ticket, and one of this many names a ticket that was created after the merge. */
const MISSING_EVERY = 12;
const LATE_EVERY = 29;

/** Adds the tickets that the titles of changes name, as they were while people worked on them. */
export const plantTickets = (site: TrackerSite, changes: readonly DemoChange[]): void => {
  const { state } = site;
  if (!state.projects.some(({ key }) => key === project.key)) state.projects.push({ ...project });
  for (const { change, at, outcome } of changes) {
    const [openedAt] = at;
    const endedAt = at.at(-1);
    if (change.kind !== 'merge' || openedAt === undefined || endedAt === undefined) continue;
    const key = /^HL-(\d+): /.exec(change.title);
    if (key === null || Number(key[1]) % MISSING_EVERY === 0) continue;
    const name = `${project.key}-${key[1]}`;
    if (findTicket(site, name) !== undefined) continue;
    const isLate = Number(key[1]) % LATE_EVERY === 0;
    const createdAt = isLate ? endedAt + DAY_MS : openedAt - (1 + (Number(key[1]) % 30)) * DAY_MS;
    const ticket = addTicket(state, {
      project: project.key,
      key: name,
      title: change.title.slice(key[0].length),
      createdAt: new Date(createdAt).toISOString(),
      type: Number(key[1]) % 3 === 0 ? 'Bug' : 'Task',
    });
    const assignee = state.users.find(({ email }) => email === change.author.email)?.id ?? addUser(site, change.author);
    const started = new Date(Math.max(openedAt, createdAt)).toISOString();
    changeTicket(site, ticket, { status: 'In Progress', assignee }, started);
    const done = new Date(Math.max(endedAt, createdAt)).toISOString();
    if (outcome === 'merged') changeTicket(site, ticket, { status: 'Done' }, done);
  }
};

const addUser = ({ state }: TrackerSite, { name, email }: { name: string; email: string }): string => {
  const id = `u-${email}`;
  state.users.push({ id, name, email });
  return id;
};

/** Removes the project of the demo with its tickets and people, and all webhooks. */
export const removeTickets = (site: TrackerSite): void => {
  const { state } = site;
  state.projects = state.projects.filter(({ key }) => key !== project.key);
  state.tickets = state.tickets.filter((ticket) => ticket.project !== project.key);
  state.users = state.users.filter(({ email }) => !email.endsWith('@harborline.example'));
  delete state.numbers[project.key];
  state.webhooks = [];
  site.deliveries.log.length = 0;
  site.save();
};
