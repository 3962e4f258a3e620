import type { FastifyInstance } from 'fastify';
import { type GitlabInstance, instancePath } from '../gitlab/instance.ts';
import { receiverControl } from './control.ts';
import { defectdojoRoutes } from './defectdojo.ts';
import { drataRoutes } from './drata.ts';
import { externalControlRoutes } from './external-controls.ts';
import type { Receivers } from './receivers.ts';
import { vantaRoutes } from './vanta.ts';

/** Serves each receiver below its own name, and GitLab's external controls below its API. */
export const serveReceivers = async (
  server: FastifyInstance,
  instance: GitlabInstance,
  receivers: Receivers,
): Promise<void> => {
  for (const [prefix, routes] of named) await server.register(async (api) => routes(api, receivers), { prefix });
  await server.register(async (api) => externalControlRoutes(api, instance, receivers), {
    prefix: `${instancePath}/api/v4`,
  });
  await server.register(async (control) => receiverControl(control, receivers), { prefix: '/_sandbox' });
};

const named = [
  ['/vanta', vantaRoutes],
  ['/drata', drataRoutes],
  ['/defectdojo', defectdojoRoutes],
] as const;
