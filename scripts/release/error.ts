/** The command prints its message without a stack. */
export class ReleaseError extends Error {
  readonly explained = true;
}
