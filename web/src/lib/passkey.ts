type PasskeyJson = Record<string, unknown>;

/** The browser or user canceled: no device, no confirmation, a timeout, or a device that is already registered. */
class PasskeyError extends Error {
  /** The device already has a passkey of this account. */
  readonly isKnown: boolean;
  constructor(cause: unknown) {
    super('The browser returned no passkey', { cause });
    this.isKnown = cause instanceof Error && cause.name === 'InvalidStateError';
  }
}

export const isPasskeyError = (error: unknown): error is PasskeyError => error instanceof PasskeyError;

export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** Creates a passkey with the server's options; returns the response for the server. */
export const createPasskey = (options: PasskeyJson): Promise<PasskeyJson> =>
  asking(async ({ startRegistration }) => startRegistration({ optionsJSON: options as never }));

/** Requests a passkey from the browser. */
export const requestPasskey = (options: PasskeyJson): Promise<PasskeyJson> =>
  asking(async ({ startAuthentication }) => startAuthentication({ optionsJSON: options as never }));

async function asking(
  work: (library: typeof import('@simplewebauthn/browser')) => Promise<object>,
): Promise<PasskeyJson> {
  // Loaded only when a passkey is used or created.
  const library = await import('@simplewebauthn/browser');
  try {
    return { ...(await work(library)) };
  } catch (error) {
    throw new PasskeyError(error);
  }
}
