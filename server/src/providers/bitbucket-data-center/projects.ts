import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import { readEveryItem } from './paging.ts';
import { hostId, linked, selfLink } from './shapes.ts';
import type { DataCenterApi } from './transport.ts';

const project = z.object({ id: hostId, key: z.string(), name: z.string().nullish(), type: z.string().nullish() });

export interface Project {
  id: string;
  key: string;
  name: string;
  isPersonal: boolean;
  /** Its page; undefined if the instance does not report it. */
  url: string | undefined;
}

const projectFrom = (json: unknown): Project => {
  const { id, key, name, type } = project.parse(json);
  return { id, key, name: name || key, isPersonal: type === 'PERSONAL', url: selfLink(linked.parse(json)) };
};

/**
 * Reads the owner of the token, the projects that it can read, and the personal one of its owner, which lists omit.
 * Throws HostRefused 401 if the instance serves the token as an anonymous user.
 */
export async function readProjects(api: DataCenterApi): Promise<{ login: string; projects: Project[] }> {
  const { userName: login } = await api.json('/api/latest/projects', { query: { limit: 1 } });
  if (login === null) throw new HostRefused(401, 'The code host does not know the token');
  const listed = (await readEveryItem(api, '/api/latest/projects')).map(projectFrom);
  const personal = await readPersonal(api, login);
  const known = new Set(listed.map(({ id }) => id));
  return { login, projects: personal && !known.has(personal.id) ? [...listed, personal] : listed };
}

/** The personal project of a user; undefined without one. */
async function readPersonal(api: DataCenterApi, login: string): Promise<Project | undefined> {
  try {
    return projectFrom((await api.json(`/api/latest/projects/${encodeURIComponent(`~${login}`)}`)).data);
  } catch (error) {
    // Users without repositories have none, and tokens of projects have no owner.
    if (error instanceof HostRefused && [400, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}
