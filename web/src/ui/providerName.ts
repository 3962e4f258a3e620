import { providerNames } from '@sightline/contract/core/providers.ts';

/** The name of a code host in its own spelling; any other source is unchanged. */
export const providerName = (provider: string): string =>
  Object.hasOwn(providerNames, provider) ? providerNames[provider as keyof typeof providerNames] : provider;
