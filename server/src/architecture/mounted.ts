import type { FastifyInstance } from 'fastify';

/** Every route as `GET /api/v2/thing/:`, read from the router itself; parameters lose their names. */
export function mountedRoutes(app: FastifyInstance): string[] {
  const routes: string[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, segment, methods] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (indent === undefined || segment === undefined) continue;
    const depth = indent.length / 4;
    above.length = depth;
    above.push(segment);
    // The top line is a slash of its own, or leaves it to the rows below it.
    const path = `/${above.join('')}`.replace(/\/+/g, '/').replace(/:[^/]+/g, ':');
    for (const method of methods?.split(', ') ?? []) if (method !== 'HEAD') routes.push(`${method} ${path}`);
  }
  return routes;
}

/** An endpoint as `mountedRoutes` names it. */
export const nameOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} /api${path.replace(/:[^/]+/g, ':')}`;
