import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { Topic } from '@sightline/contract/core/topics.ts';
import { QueryClient, type QueryClientConfig } from '@tanstack/react-query';

type Listener = (changed: readonly Topic[]) => void;

/** Topics of each read, by its path, which is the first part of its cache key. */
const topicsByPath = new Map<string, readonly Topic[]>();
const listeners = new Set<Listener>();

/** Remembers the topics of a read. Whoever builds its cache key calls this. */
export function registerTopics({ path, topics }: Endpoint): void {
  if (topics) topicsByPath.set(path, topics);
}

/** Reports that a mutation ended. It may have changed something even if it failed: then somebody else was first. */
export function reportChanges({ changes = [] }: Endpoint): void {
  if (changes.length > 0) for (const listener of listeners) listener(changes);
}

/** A query client that reloads what a mutation made outdated. A mutation stays pending until that is done. */
export class ReloadingQueryClient extends QueryClient {
  #reload: Promise<unknown> = Promise.resolve();
  readonly #listener: Listener = (changed) => {
    this.#reload = invalidateTopics(this, changed);
  };

  constructor({ defaultOptions, ...config }: QueryClientConfig = {}) {
    super({ ...config, defaultOptions: { ...defaultOptions, mutations: { onSettled: () => this.#reload } } });
  }

  override mount(): void {
    super.mount();
    listeners.add(this.#listener);
  }

  override unmount(): void {
    super.unmount();
    listeners.delete(this.#listener);
  }
}

/** Marks the responses that depend on these topics as outdated; those on screen are reloaded. */
export const invalidateTopics = (client: QueryClient, changed: readonly Topic[]): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      topicsByPath.get(String(path))?.some((topic) => changed.includes(topic)) === true,
  });
