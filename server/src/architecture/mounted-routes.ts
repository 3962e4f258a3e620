import type { FastifyInstance } from 'fastify';

/** Returns every route as `GET /api/v2/thing/:`, read from the router. Parameters have no names. */
export function mountedRoutes(app: FastifyInstance): string[] {
  const routes: string[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, segment, methods] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (indent === undefined || segment === undefined) continue;
    const depth = indent.length / 4;
    above.length = depth;
    above.push(segment);
    // The top line is a slash, or its rows contain the slash.
    const path = `/${above.join('')}`.replace(/\/+/g, '/').replace(/:[^/]+/g, ':');
    for (const method of methods?.split(', ') ?? []) if (method !== 'HEAD') routes.push(`${method} ${path}`);
  }
  return routes;
}

/** Returns the name of an endpoint in the format of `mountedRoutes`. */
export const routeNameOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} /api${path.replace(/:[^/]+/g, ':')}`;
