/** Pages the server draws, so they are plain links: about the service itself, on every page without a shell. */
export const legal = { terms: '/terms', privacy: '/privacy', contact: '/contact' };

/** True on a server that says it is not production: what helps to try things out is shown only there. */
export const isTrial = (): boolean =>
  document.querySelector('meta[name="sightline-environment"]')?.getAttribute('content') === 'development';
