import { createSigningKey, type SigningKey } from './certificate.ts';

/** What the identity provider does wrong on demand. */
export const mistakes = {
  none: 'correct responses',
  expired: 'expired responses',
  audience: 'responses for another service',
  unsigned: 'responses without a signature of the assertion',
  failure: 'refusals',
} as const;
export type Mistake = keyof typeof mistakes;

/** The SAML identity provider of the sandbox: its key, and the service that asked last. */
export type SamlState = {
  key: SigningKey;
  /** Published beside the key, before it signs. */
  next?: SigningKey | undefined;
  mistake: Mistake;
  /** The portal sends responses there that no request asked for. */
  service?: { issuer: string; callbackUrl: string } | undefined;
};

const createKey = (): Promise<SigningKey> => createSigningKey('Sandbox identity provider');

/** A new identity provider, which makes no mistakes. */
export const createSamlState = async (): Promise<SamlState> => ({ key: await createKey(), mistake: 'none' });

/** Publishes a second certificate, which signs from the next call on. */
export const rotateKey = async (state: SamlState): Promise<void> => {
  if (state.next === undefined) {
    state.next = await createKey();
    return;
  }
  state.key = state.next;
  state.next = undefined;
};

/** Replaces the key at once, without publishing the new certificate before. */
export const replaceKey = async (state: SamlState): Promise<void> => {
  state.key = await createKey();
  state.next = undefined;
};
