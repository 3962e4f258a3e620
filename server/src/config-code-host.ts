/** The address of a code host that the sandbox offers to every organization. */
export interface CodeHostConfig {
  /** Undefined: members enter the URL of their instance. */
  url: string | undefined;
  /** A page of the sandbox that creates tokens. */
  sandboxPage: string | undefined;
}
