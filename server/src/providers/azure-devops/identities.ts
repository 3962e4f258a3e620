import { z } from 'zod';
import type { HostUser } from '../host-facts.ts';
import { guid, list, userFrom } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

const property = z.object({ $value: z.unknown() }).nullish();

const identity = z.object({
  id: guid,
  descriptor: z.string(),
  subjectDescriptor: z.string().nullish(),
  providerDisplayName: z.string().nullish(),
  customDisplayName: z.string().nullish(),
  isActive: z.boolean().nullish(),
  isContainer: z.boolean().nullish(),
  members: z.array(z.string()).nullish(),
  properties: z.record(z.string(), property).nullish(),
});

/** A person, service or group of an organization or collection. */
export interface AzureDevopsIdentity {
  id: string;
  descriptor: string;
  name: string;
  isGroup: boolean;
  isService: boolean;
  isActive: boolean;
  user: HostUser;
  /** The descriptors of the members of a group, also of the groups in it. */
  members: readonly string[];
}

/** Parses an identity; undefined for a placeholder of one that does not exist. Throws ZodError for anything else. */
export function identityFrom(json: unknown): AzureDevopsIdentity | undefined {
  if (json === null) return undefined;
  const found = identity.parse(json);
  const name = found.customDisplayName || found.providerDisplayName || '';
  const isGroup = found.isContainer === true || textOf(found.properties, 'SchemaClassName') === 'Group';
  const uniqueName = uniqueNameOf(found.properties) || name;
  const isService = isServiceDescriptor(found.descriptor);
  const user = userFrom({ id: found.id, displayName: name, uniqueName, descriptor: found.subjectDescriptor });
  return {
    id: found.id,
    descriptor: found.descriptor,
    name,
    isGroup,
    isService: isService || user.isAgent,
    isActive: found.isActive !== false,
    user: { ...user, isAgent: isService || user.isAgent },
    members: found.members ?? [],
  };
}

type Properties = Readonly<Record<string, { $value?: unknown } | null | undefined>> | null | undefined;

function textOf(properties: Properties, name: string): string {
  const value = properties?.[name]?.$value;
  return typeof value === 'string' ? value : '';
}

/** The name in other objects: an address in Azure DevOps Services, `DOMAIN\account` on a server. */
export function uniqueNameOf(properties: Properties): string {
  const [account, domain] = [textOf(properties, 'Account'), textOf(properties, 'Domain')];
  const isWhole = account === '' || account.includes('@') || domain === '' || /^[0-9a-f-]{36}$/i.test(domain);
  return isWhole ? account : `${domain}\\${account}`;
}

const isServiceDescriptor = (descriptor: string): boolean =>
  /^(?:Microsoft\.TeamFoundation\.ServiceIdentity|System:|Microsoft\.VisualStudio\.Services\.Claims\.AadServicePrincipal)/i.test(
    descriptor,
  );

// The URL of a request has them all.
const PER_REQUEST = 20;

/** Reads identities by descriptor. `Expanded`: with all members of groups. */
export async function readIdentities(
  api: AzureDevopsApi,
  descriptors: readonly string[],
  queryMembership: 'None' | 'Expanded',
): Promise<AzureDevopsIdentity[]> {
  const found: AzureDevopsIdentity[] = [];
  for (let from = 0; from < descriptors.length; from += PER_REQUEST) {
    const query = { descriptors: descriptors.slice(from, from + PER_REQUEST).join(','), queryMembership };
    const { data } = await api.json('/_apis/identities', { site: 'identities', query });
    found.push(...list.parse(data).flatMap((json) => identityFrom(json) ?? []));
  }
  return found;
}
