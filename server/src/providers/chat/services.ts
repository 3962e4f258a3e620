import { type ChatServiceName, chatServices } from '@sightline/contract/delivery/chat.ts';
import { importFolder } from '#core/import-folder.ts';
import type { ChatService } from './chat.ts';

export type ChatServices = Readonly<Record<ChatServiceName, ChatService>>;

interface ServiceModule {
  service: ChatService;
}

/** The chat services, by name. Throws for a name of the contract without a folder. */
export async function loadChatServices(): Promise<ChatServices> {
  const modules = await importFolder<ServiceModule>('*/service.ts', new URL('./', import.meta.url));
  const found = new Map(modules.map(({ service }) => [service.name, service]));
  const missing = chatServices.find((name) => !found.has(name));
  if (missing !== undefined) throw new Error(`The chat service ${missing} has no folder`);
  return Object.fromEntries(found) as ChatServices;
}
