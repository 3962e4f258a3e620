/** How the directory writes its requests: like Microsoft Entra ID, or like Okta. */
export type Dialect = 'entra' | 'okta';

export type DirectoryUser = {
  id: string;
  givenName: string;
  familyName: string;
  email: string;
  active: boolean;
};

/** `members`: IDs of users. */
export type DirectoryGroup = { id: string; name: string; members: string[] };

/** Where the directory sends its content. */
export type DirectoryTarget = { url: string; token: string; dialect: Dialect };
