import { importFolder } from '#core/import-folder.ts';
import type { AgentVendor } from './vendor.ts';

interface VendorModule {
  vendor: AgentVendor;
}

async function loadVendors(): Promise<AgentVendor[]> {
  const modules = await importFolder<VendorModule>('*.ts', new URL('./vendors/', import.meta.url));
  const found = modules.map(({ vendor }) => vendor);
  // The vendor without services takes what the others leave.
  return found.toSorted(
    (one, other) =>
      Number(one.services.length === 0) - Number(other.services.length === 0) ||
      one.name.localeCompare(other.name, 'en'),
  );
}

/** The agents whose telemetry is understood, by name; the general one last. */
export const agentVendors: readonly AgentVendor[] = await loadVendors();

const byService = new Map(
  agentVendors.flatMap((vendor) => vendor.services.map((service) => [service, vendor] as const)),
);
const general = agentVendors.find(({ services }) => services.length === 0);

/** The vendor of a service, or the general one. */
export const vendorOf = (service: string): AgentVendor | undefined => byService.get(service) ?? general;

const names = new Map(agentVendors.map(({ id, name }) => [id, name]));

/** The name of an agent; its ID if the agent is no longer known. */
export const agentNameOf = (id: string): string => names.get(id) ?? id;
