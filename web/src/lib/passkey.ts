type PasskeyJson = Record<string, unknown>;

/** The browser or the person said no: no device, no touch, not in time, or a device that has one already. */
class PasskeyError extends Error {
  /** The device has a passkey of this account. */
  readonly isKnown: boolean;
  constructor(cause: unknown) {
    super('The browser returned no passkey', { cause });
    this.isKnown = cause instanceof Error && cause.name === 'InvalidStateError';
  }
}

export const isPasskeyError = (error: unknown): error is PasskeyError => error instanceof PasskeyError;

export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** Has the browser make a passkey for the server's options; answers what the server wants back. */
export const makePasskey = (options: PasskeyJson): Promise<PasskeyJson> =>
  asking(async ({ startRegistration }) => startRegistration({ optionsJSON: options as never }));

/** Has the browser ask for a passkey. */
export const askForPasskey = (options: PasskeyJson): Promise<PasskeyJson> =>
  asking(async ({ startAuthentication }) => startAuthentication({ optionsJSON: options as never }));

async function asking(
  work: (library: typeof import('@simplewebauthn/browser')) => Promise<object>,
): Promise<PasskeyJson> {
  // Loaded when somebody has one, or wants one.
  const library = await import('@simplewebauthn/browser');
  try {
    return { ...(await work(library)) };
  } catch (error) {
    throw new PasskeyError(error);
  }
}
