/** Ends the command with its message and without a stack. */
export class ReleaseError extends Error {
  readonly explained = true;
}
